// What PostgreSQL 16 and later take from here: it is with the rest.
#pragma once

#include "memcheck.h"
