// Shared by the fuzz targets: reading the fuzzer's bytes as values, edge ids among them, and stopping at a broken law
// with the values that broke it.
#pragma once

#include <luuid/text.hpp>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace fuzz {

inline std::string shown(const luuid::Id& id) {
    std::string text(luuid::text_size, '?');
    luuid::format(id, text.data());
    return text;
}

inline std::string shown(const std::string& text) { return '"' + text + '"'; }

template <class Number>
requires std::is_arithmetic_v<Number> std::string shown(Number number) { return std::to_string(number); }

template <class... Values>
[[noreturn]] void stop(const char* law, const char* file, int line, const Values&... values) {
    std::fprintf(stderr, "%s:%d: %s is broken by:", file, line, law);
    (std::fprintf(stderr, "  %s", shown(values).c_str()), ...);
    std::fputc('\n', stderr);
    std::abort();
}

}  // namespace fuzz

#define REQUIRE_LAW(condition, ...)                                                \
    do {                                                                           \
        if (!(condition))                                                          \
            fuzz::stop(#condition, __FILE__, __LINE__ __VA_OPT__(, ) __VA_ARGS__); \
    } while (false)

#include "laws.hpp"
#include "samples.hpp"

#include <luuid/luuid.hpp>

using namespace luuid;
using namespace luuid::detail;

namespace fuzz {

// The fuzzer's bytes, read as values. Past their end all bytes are 0.
class Input {
public:
    Input(const std::uint8_t* data, std::size_t size) : at_(data), end_(data + size) {}

    bool is_empty() const { return at_ == end_; }

    std::uint8_t byte() { return is_empty() ? 0 : *at_++; }

    // Big-endian, as ids are, so that an id's text resembles its bytes here.
    std::uint64_t bits(int width) {
        std::uint64_t value = 0;
        for (; width > 0; width -= 8)
            value = value << 8 | byte();
        return value;
    }

    luuid::Id raw_id() {
        const std::uint64_t msb = bits(64);
        return {msb, bits(64)};
    }

    // Any id; an edge id; one that differs a little from another; or one with another's time.
    luuid::Id id(const luuid::Id& other = luuid::nil_id) {
        static const std::vector<luuid::Id> hostile = samples::hostile_ids();
        switch (byte() % 4) {
            case 0:
                return raw_id();
            case 1:
                return hostile[bits(16) % hostile.size()];
            case 2:
                return samples::flip_bit(other, byte() % 128);
            default: {
                const luuid::Layout layout = samples::timed_layouts[byte() % std::size(samples::timed_layouts)];
                const std::int64_t later = byte();
                return samples::id_at(layout, ticks(other).value_or(0) + later, raw_id());
            }
        }
    }

    // Any time; one at which something changes; or one next to an id's.
    std::int64_t microseconds(const luuid::Id& near) {
        static const std::vector<std::int64_t> hostile = samples::hostile_times();
        switch (byte() % 3) {
            case 0:
                return static_cast<std::int64_t>(bits(64));
            case 1:
                return hostile[bits(16) % hostile.size()];
            default:
                return reference::microseconds(near).value_or(0) + static_cast<std::int16_t>(bits(16));
        }
    }

    std::string rest() {
        const std::string text(at_, end_);
        at_ = end_;
        return text;
    }

private:
    const std::uint8_t* at_;
    const std::uint8_t* end_;
};

}  // namespace fuzz

// A target is one function of an Input.
#define FUZZ_TARGET(input)                                                              \
    static void target(fuzz::Input input);                                              \
    extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) { \
        target({data, size});                                                           \
        return 0;                                                                       \
    }                                                                                   \
    static void target(fuzz::Input input)
