// All of luuid for an application.
#pragma once

#include <luuid/boundary.hpp>
#include <luuid/generator.hpp>
#include <luuid/standard.hpp>
#include <luuid/uniqid.hpp>
