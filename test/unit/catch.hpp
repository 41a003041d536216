// Either major version of Catch2, the format of ids, and an assertion fast enough for millions of checks.
#pragma once

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#else
#include <catch2/catch.hpp>
#endif

#include <luuid/standard.hpp>

#include <sstream>
#include <string>

template <>
struct Catch::StringMaker<luuid::Id> {
    static std::string convert(const luuid::Id& id) { return to_string(id); }
};

template <class... Values>
std::string described(const Values&... values) {
    std::ostringstream line;
    ((line << Catch::Detail::stringify(values) << "  "), ...);
    return line.str();
}

// REQUIRE records every success; this records only a failure, with the values after the condition.
#define REQUIRE_LAW(condition, ...)                                          \
    do {                                                                     \
        if (!(condition))                                                    \
            FAIL(#condition << " is broken by: " << described(__VA_ARGS__)); \
    } while (false)
