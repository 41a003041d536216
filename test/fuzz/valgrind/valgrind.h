// PostgreSQL 16 and later include this header, whose contents are in memcheck.h.
#pragma once

#include "memcheck.h"
