// Scripts of a generator, as libFuzzer finds them.
#include <luuid/luuid.hpp>

#include <cstdio>
#include <cstdlib>

// Stops at a broken law, with the values that broke it.
#define REQUIRE_LAW(condition, ...)                                                          \
    do {                                                                                     \
        if (!(condition)) {                                                                  \
            std::fprintf(stderr, "%s:%d: %s is broken by:", __FILE__, __LINE__, #condition); \
            show(__VA_ARGS__);                                                               \
            std::abort();                                                                    \
        }                                                                                    \
    } while (false)

namespace {

template <class... Values>
void show(const Values&... values) {
    const auto shown = [](const auto& value) {
        if constexpr (std::is_same_v<decltype(value), const luuid::Id&>)
            return to_string(value);
        else
            return std::to_string(value);
    };
    (std::fprintf(stderr, "  %s", shown(values).c_str()), ...);
    std::fputc('\n', stderr);
}

}  // namespace

#include "script.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    script::run(data, size);
    return 0;
}
