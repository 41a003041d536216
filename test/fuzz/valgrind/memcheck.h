// Valgrind's client requests as AddressSanitizer's: what PostgreSQL tells the one of its memory contexts, the other then
// knows. A checked server is built against this, so that a read or write past a palloc'ed chunk, or of a freed one,
// stops it there and then. Which bytes were written to is beyond AddressSanitizer, and not checked.
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
