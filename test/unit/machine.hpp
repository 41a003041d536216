// A generator whose clock the tests set.
#pragma once

#include <luuid/detail/locality_generator.hpp>
#include <luuid/order.hpp>

#include <algorithm>
#include <vector>

constexpr std::uint64_t noon = 1'795'262'400'000;  // 2026-11-21 12:00:00 UTC, where a window begins
constexpr luuid::Identity someone{12'345, 0xd537a50};

struct Machine {
    std::uint64_t now = noon;
    luuid::CounterMode mode = luuid::CounterMode::variable;
    luuid::LocalityVersion version = luuid::LocalityVersion::vb;
    luuid::Identity who = someone;
    luuid::detail::LocalityGenerator generator{0xdecade};

    luuid::Id next() { return generator.next(mode, version, who, now); }
    luuid::Id next(luuid::CounterMode in) { return generator.next(in, version, who, now); }
    luuid::Id next_in(luuid::detail::BlockRange range) { return generator.next_within(range, version, who, now); }
    luuid::Id next_near(const luuid::Id& neighbour, std::int64_t bits) {
        return next_in(luuid::detail::neighbour_range(neighbour, luuid::PrefixBits::of(bits).value()));
    }
    luuid::Id next_in_shard(std::int64_t shard, std::int64_t shards) {
        return next_in(luuid::detail::shard_range(luuid::Shard::of(shard, luuid::Shards::of(shards).value()).value()));
    }
    luuid::Id next_at(std::uint64_t millisecond) { return generator.next_at(millisecond, mode, version, who, now); }

    void toggle_mode() {
        using luuid::CounterMode;
        mode = mode == CounterMode::variable ? CounterMode::sequential : CounterMode::variable;
    }
    void toggle_version() {
        using luuid::LocalityVersion;
        version = version == LocalityVersion::vb ? LocalityVersion::v8 : LocalityVersion::vb;
    }
};

inline bool any_repeats(std::vector<luuid::Id> ids) {
    std::sort(ids.begin(), ids.end(), luuid::Bytewise());
    return std::adjacent_find(ids.begin(), ids.end()) != ids.end();
}
