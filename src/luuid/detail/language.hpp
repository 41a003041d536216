// Rejects a language version before C++20, ahead of the errors in later headers.
#pragma once

// g++ 10 calls its C++20 201709.
#if __cplusplus <= 201703L
#error "luuid needs C++20: compile with -std=c++20"
#endif
