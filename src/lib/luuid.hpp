// All of luuid for an application.
#pragma once

#include "application.hpp"
#include "fault.hpp"
#include "placement.hpp"
#include "rfc3339.hpp"
#include "shard.hpp"
#include "standard.hpp"
#include "uniqid.hpp"
