// Catch2 of either major version, how it prints ids, and an assertion cheap enough for loops of millions.
#pragma once

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#else
#include <catch2/catch.hpp>
#endif

#include <luuid/text.hpp>

#include <sstream>
#include <string>

template <>
struct Catch::StringMaker<luuid::Id> {
    static std::string convert(const luuid::Id& id) {
        std::string text(luuid::text_size, '\0');
        luuid::format(id, text.data());
        return text;
    }
};

template <class... Values>
std::string described(const Values&... values) {
    std::ostringstream line;
    ((line << Catch::Detail::stringify(values) << "  "), ...);
    return line.str();
}

// REQUIRE does its bookkeeping for every success; this does it for a breach alone, and names the values after it.
#define REQUIRE_LAW(condition, ...)                                          \
    do {                                                                     \
        if (!(condition))                                                    \
            FAIL(#condition << " is broken by: " << described(__VA_ARGS__)); \
    } while (false)
