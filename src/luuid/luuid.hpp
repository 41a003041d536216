// All headers of luuid for an application.
#pragma once

#include <luuid/base32.hpp>
#include <luuid/boundary.hpp>
#include <luuid/generator.hpp>
#include <luuid/seal.hpp>
#include <luuid/standard.hpp>
#include <luuid/uniqid.hpp>
