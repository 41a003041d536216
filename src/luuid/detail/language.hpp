// What all headers need first: the language, and the name of the form that a generator's state has.
#pragma once

// g++ 10 calls its C++20 201709. MSVC has the number in _MSVC_LANG.
#if __cplusplus <= 201703L && (!defined(_MSVC_LANG) || _MSVC_LANG <= 201703L)
#error "luuid needs C++20: compile with -std=c++20"
#endif

// The namespace of a process's shared state and of the code that reads it. Raise the number with any change of what the
// state holds or means: two versions of the library in one process share a state only if they agree on its form.
#define LUUID_FORM form_1
