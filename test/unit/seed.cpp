// The windows and seeds of sequential mode, and their MD5.

namespace {

static_assert(md5_first_word("abc") == __builtin_bswap32(0x90015098), "at compile time too");

constexpr std::uint64_t milliseconds_per_day = 24 * 60 * 60 * 1000;

// The seed's text by the standard library's calendar, whose range, unlike the C library's, suffices on every machine.
std::string window_text(std::uint64_t millisecond) {
    const std::chrono::sys_time<std::chrono::milliseconds> time{
        std::chrono::milliseconds(static_cast<std::int64_t>(millisecond))};
    const auto day = std::chrono::floor<std::chrono::days>(time);
    const std::chrono::year_month_day date(day);
    const std::chrono::hh_mm_ss of_day(time - day);
    char text[64];
    std::snprintf(text, sizeof text, "%04d%02u%02u%02d%02d", static_cast<int>(date.year()) % 10'000,
                  static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                  static_cast<int>(of_day.hours().count()), static_cast<int>(of_day.minutes().count()));
    return std::string(text).substr(0, 11);
}

}  // namespace

// Appendix A.5: the first four bytes of each digest, as printed. Its last two messages are longer than one block.
TEST_CASE("MD5 of RFC 1321's messages", "[window]") {
    const auto [message, first_bytes] = GENERATE(table<std::string_view, std::uint32_t>({
        {"", 0xd41d8cd9},
        {"a", 0x0cc175b9},
        {"abc", 0x90015098},
        {"message digest", 0xf96b697d},
        {"abcdefghijklmnopqrstuvwxyz", 0xc3fcd3d7},
    }));
    CHECK(md5_first_word(message) == __builtin_bswap32(first_bytes));
}

TEST_CASE("published seeds hold for ten minutes exactly", "[window]") {
    const auto [start, seed] = GENERATE(table<std::uint64_t, std::uint32_t>({
        {1'367'110'800'000, 0xf5166775},  // 2013-04-28 01:00
        {1'795'219'800'000, 0xdb44df22},  // 2026-11-21 00:10
    }));
    for (const std::uint64_t inside : {0, 1, 59'999, 60'000, 599'999})
        CHECK(window_seed(window_of(start + inside)) == seed);
    CHECK(window_of(start - 1) + 1 == window_of(start));
    CHECK(window_of(start + 600'000) == window_of(start) + 1);
    CHECK(window_seed(window_of(start - 1)) != seed);
    CHECK(window_seed(window_of(start + 600'000)) != seed);
}

TEST_CASE("every window's seed agrees with the standard library's calendar", "[window]") {
    const auto holds = [](std::uint64_t millisecond) {
        REQUIRE_LAW(window_seed(window_of(millisecond)) == md5_first_word(window_text(millisecond)), millisecond,
                    window_text(millisecond));
    };
    SECTION("all windows of three days, one of them a leap day") {
        for (const std::uint64_t day : {0, 19'782, 20'778})
            for (std::uint64_t window = 0; window < 144; ++window)
                holds(day * milliseconds_per_day + window * window_milliseconds);
    }
    SECTION("a window of every day of eight centuries, then of every ninth day") {
        samples::Random random(1);
        for (std::uint64_t day = 0; day <= millisecond_max / milliseconds_per_day; day += day < 300'000 ? 1 : 9)
            holds(day * milliseconds_per_day + random.below(milliseconds_per_day));
    }
    SECTION("the last millisecond of 48 bits") { holds(millisecond_max - 1); }
}
