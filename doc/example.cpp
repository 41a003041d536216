// An application's day with luuid. Build it against the installed headers:
//
//   c++ -std=c++20 $(pkg-config --cflags luuid) -o example doc/example.cpp $(pkg-config --libs luuid)
#include <luuid/luuid.hpp>
#include <luuid/stream.hpp>

#include <chrono>
#include <ctime>
#include <iomanip>
#include <iostream>
#include <set>
#include <sstream>
#include <string>
#include <string_view>

namespace {

// RFC 3339, by the C library's calendar.
std::string written(luuid::TickTime time) {
    const auto millisecond = std::chrono::floor<std::chrono::milliseconds>(time);
    const std::time_t second = std::chrono::system_clock::to_time_t(millisecond);
    std::ostringstream text;
    text << std::put_time(std::gmtime(&second), "%FT%T") << '.' << std::setfill('0') << std::setw(3)
         << millisecond.time_since_epoch().count() % 1000 << 'Z';
    return text.str();
}

void show_new_ids(luuid::CounterMode mode) {
    luuid::Generator generator({.mode = mode});
    for (int i = 0; i < 3; ++i)
        std::cout << "  " << generator.next() << '\n';
}

void show_fields(std::string_view text) {
    luuid::ParseError error;
    const auto id = luuid::parse(text, error);
    if (!id) {
        std::cout << "  " << text << ": expected " << error.what << " at character " << error.at + 1 << '\n';
        return;
    }
    std::cout << "  " << *id << ": version " << luuid::version_nibble(*id);
    if (const auto time = luuid::time_of(*id))
        std::cout << ", " << written(*time);
    if (luuid::is_locality(luuid::layout_of(*id)))
        std::cout << ", counter " << luuid::counter_field(*id) << ", process " << luuid::pid_field(*id);
    std::cout << ", shard " << luuid::shard_of(*id, 16) << " of 16\n";
}

}  // namespace

int main() {
    std::cout << "Three new ids, to spread over shards:\n";
    show_new_ids(luuid::CounterMode::variable);
    std::cout << "Three to lie together:\n";
    show_new_ids(luuid::CounterMode::sequential);

    std::cout << "What ids say:\n";
    show_fields("20be0ffc-314a-bd53-7a50-013a65ca76d2");
    show_fields("c232ab00-9414-11ec-b3c8-9f6bdeced846");
    show_fields("20be0ffc-314a-bd53-7a50-oops");

    // The arguments of: SELECT ... WHERE id >= $1 AND id <= $2
    using namespace std::chrono_literals;
    const std::chrono::sys_days day = 2012y / 10 / 15;
    const luuid::Id first = luuid::floor_of(day);
    const luuid::Id last = luuid::ceiling_of(day + 24h - 1us);
    std::cout << "A day, for a query:\n  " << first << "\n  " << last << '\n';

    // In chronological order, whatever the first bytes are.
    const std::set<luuid::Id> sorted{last, *luuid::parse("20be0ffc-314a-bd53-7a50-013a65ca76d2"), first};
    std::cout << "Sorted by time:\n";
    for (const luuid::Id& id : sorted)
        std::cout << "  " << id << '\n';
}
