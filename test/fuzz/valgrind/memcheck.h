// Valgrind's client requests as calls of AddressSanitizer, which so learns what PostgreSQL tells Valgrind about its memory
// contexts. A checked server is built with this, so that it stops at a read or write past a palloc'ed chunk or in a freed one.
// AddressSanitizer does not know which bytes were written to, so that is not checked.
#pragma once

#include <sanitizer/asan_interface.h>

#define VALGRIND_MAKE_MEM_NOACCESS(address, size) __asan_poison_memory_region((address), (size))
#define VALGRIND_MAKE_MEM_UNDEFINED(address, size) __asan_unpoison_memory_region((address), (size))
#define VALGRIND_MAKE_MEM_DEFINED(address, size) __asan_unpoison_memory_region((address), (size))

#define VALGRIND_MEMPOOL_ALLOC(pool, address, size) __asan_unpoison_memory_region((address), (size))
#define VALGRIND_MEMPOOL_CHANGE(pool, old, address, size) __asan_unpoison_memory_region((address), (size))
// The memory contexts wipe what is freed, and call MAKE_MEM_NOACCESS for it themselves.
#define VALGRIND_MEMPOOL_FREE(pool, address) ((void)(pool))
#define VALGRIND_CREATE_MEMPOOL(pool, redzone, zeroed) ((void)(pool))
#define VALGRIND_DESTROY_MEMPOOL(pool) ((void)(pool))

#define VALGRIND_CHECK_MEM_IS_DEFINED(address, size) 0
#define VALGRIND_GET_VBITS(address, bits, size) 0
#define VALGRIND_COUNT_ERRORS 0
#define VALGRIND_PRINTF(...) ((void)0)
