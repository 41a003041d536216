// Tells an earlier language than the library's before a compiler stumbles over its first header.
#pragma once

// g++ 10 calls its C++20 201709.
#if __cplusplus <= 201703L
#error "luuid needs C++20: compile with -std=c++20"
#endif
