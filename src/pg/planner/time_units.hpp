// What the first argument of date_trunc, date_bin, extract and date_part says: how wide a unit or a stride is, and
// which field.
#pragma once

#include "server.hpp"

namespace luuid::pg {

// The longest of a unit of date_trunc, in microseconds; 0 if it is none, or not a constant.
int64 width_of_unit(Node* name);

// The width of a stride of date_bin, in microseconds; 0 for what date_bin refuses, and for what is not a constant.
int64 width_of_stride(Node* stride);

// The fields of a time that never decrease while it increases.
enum class Field { none, epoch, year };
Field field_named(Node* name);

}  // namespace luuid::pg
