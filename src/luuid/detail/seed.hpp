// The 10-minute UTC windows of sequential mode, and the seed of a window, which every machine computes alike.
#pragma once

#include <luuid/detail/md5.hpp>

namespace luuid::detail {

inline constexpr std::uint64_t window_milliseconds = 10 * 60 * 1000;

// Windows are numbered from 1970 on; 48 bits of milliseconds are fewer than 2^29 windows.
constexpr std::uint32_t window_of(std::uint64_t millisecond) noexcept {
    return static_cast<std::uint32_t>(millisecond / window_milliseconds);
}

// MD5 of the window's start as YYYYMMDDHHM, its first four bytes read little-endian. Years are modulo 10 000. Not
// inlined, since compilers would compute the calendar for every id, before they check for a new window.
[[gnu::cold, gnu::noinline]] constexpr std::uint32_t window_seed(std::uint32_t window) noexcept {
    const std::uint32_t days = window / 144;
    const std::uint32_t ten_minutes = window % 144;

    // The civil date of a day count, by 400-year eras that start in March, so that the leap day is last.
    const std::uint32_t day = days + 719'468;  // from 0000-03-01
    const std::uint32_t era = day / 146'097;
    const std::uint32_t day_of_era = day % 146'097;
    const std::uint32_t year_of_era =
        (day_of_era - day_of_era / 1'460 + day_of_era / 36'524 - day_of_era / 146'096) / 365;
    const std::uint32_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    const std::uint32_t month_from_march = (5 * day_of_year + 2) / 153;
    const std::uint32_t day_of_month = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    const std::uint32_t month = month_from_march < 10 ? month_from_march + 3 : month_from_march - 9;
    const std::uint32_t year = era * 400 + year_of_era + (month <= 2);

    char text[11] = {};
    char* at = text;
    const auto digits = [&at](std::uint32_t value, std::uint32_t divisor) {
        for (; divisor > 0; divisor /= 10)
            *at++ = static_cast<char>('0' + value / divisor % 10);
    };
    digits(year, 1000);
    digits(month, 10);
    digits(day_of_month, 10);
    digits(ten_minutes / 6, 10);
    digits(ten_minutes % 6, 1);
    return md5_first_word({text, sizeof text});
}

}  // namespace luuid::detail
