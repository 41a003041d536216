// Prints vectors.tsv: what the C++ library reads from ids, times and shards, and the ids that its generator makes.
// Clients in other languages have to read and make the same. The first word of a line says what the others are,
// with numbers in decimal:
//
//   id         id, version, ticks of 100 ns since 1970, counter, process id, node, base 32; empty where there is none.
//              The id is greater than that of the line before
//   text       text, the id that it is; empty if it is none
//   boundary   microseconds since 1970, their floor, their ceiling
//   shard      id, how many shards, its shard
//   base32     text, the id that it is; empty if it is none
//   seed       milliseconds since 1970, the seed of their window
//   node       a machine's identity of 32 digits, its hardware address, the node
//   generator  a new one, before ids of the present: step of the variable counter, process id, node
//   next       mode, version, the clock's milliseconds, how often at that time, the last id of these
//   near       neighbor, bits, version, clock, how often, the last id
//   in_shard   shard, shards, version, clock, how often, the last id
//   generator7 a new one of version 7
//   next7      the clock's ticks of 100 ns since 1970, 64 random bits, the id
//   at7        a given time's ticks, 64 random bits, the id
#include <luuid/base32.hpp>
#include <luuid/boundary.hpp>
#include <luuid/detail/basic_generator.hpp>
#include <luuid/node.hpp>
#include <luuid/standard.hpp>

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <string>
#include <vector>

using namespace luuid;
using detail::LocalityGenerator;

namespace {

std::string base32_of(const Id& id) {
    char text[base32_size];
    format_base32(id, text);
    return {text, sizeof text};
}

template <class Number>
std::string number_of(const std::optional<Number>& number) {
    return number ? std::to_string(*number) : "";
}

template <class... Words>
void print(const char* kind, const Words&... words) {
    std::fputs(kind, stdout);
    (std::printf("\t%s", std::string(words).c_str()), ...);
    std::putchar('\n');
}

// Ids of every version and variant, with the least and the greatest of each field, and beside them: most of them where
// a version has fields, and is of RFC 9562's variant.
std::vector<Id> hostile_ids() {
    std::vector<Id> ids{nil_id, {0, 1}, {~std::uint64_t{0}, ~std::uint64_t{0}}};
    constexpr std::uint64_t heads[] = {0x00000000'0000'0000, 0x00000000'0001'0000, 0x98be0ffc'314a'0d53,
                                       0x7fffffff'ffff'0fff, 0x80000000'0000'0000, 0xffffffff'ffff'0fff};
    constexpr std::uint64_t tails[] = {0x0000'0000'0000'0000, 0x0080'0000'0000'007f, 0x3a50'013a'65ca'76d2,
                                       0x3fff'ffff'ffff'ffff};
    for (std::uint64_t version = 0; version < 16; ++version)
        for (std::uint64_t variant = 0; variant < 4; ++variant)
            for (std::uint64_t head = 0; head < std::size(heads); ++head)
                for (std::uint64_t tail = 0; tail < std::size(tails); ++tail)
                    if (layout_of({version << 12, std::uint64_t{2} << 62}) == Layout::untimed
                            ? head * std::size(tails) + tail == (5 * version + 13 * variant) % 24
                            : (head + tail + variant) % (variant == 2 ? 2 : 8) == 0)
                        ids.push_back(
                            {(heads[head] & ~std::uint64_t{0xf000}) | version << 12, variant << 62 | tails[tail]});
    // One millisecond in all layouts that can hold it, with blocks around the wraps of both counters.
    constexpr std::uint64_t millisecond = 1'353'000'000'000;
    for (const LocalityVersion version : {LocalityVersion::v8, LocalityVersion::vb})
        for (const std::uint32_t block :
             {0u, 1u, 0xffffu, 0x10000u, 0xffff'ffffu, detail::block_at(0xffff), detail::block_at(0x10000),
              detail::block_at(0x10001), detail::block_at(12), detail::block_at(13), detail::block_of(0x8000'8000)})
            ids.push_back(locality_id(version, block, {12'618, 0xd53'7a50}, millisecond));
    ids.push_back({millisecond << 16 | 0x7fff, detail::highest_rest});
    const TickTime time{std::chrono::milliseconds(millisecond)};
    for (const std::int64_t beside : {-1, 0, 1}) {
        ids.push_back(detail::least_v1_at(time + Ticks(beside)));
        ids.push_back(detail::v1_id(detail::gregorian_count_at(time + Ticks(beside)), 0x7f7f'7f7f'7f7f'7f7f));
        ids.push_back(detail::greatest_v6_at(time + Ticks(beside)));
    }
    return ids;
}

void print_ids(std::vector<Id> ids) {
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    for (const Id& id : ids) {
        const auto time = time_of(id);
        const bool is_locality = luuid::is_locality(layout_of(id));
        print("id", to_string(id), std::to_string(version_nibble(id)),
              time ? std::to_string(time->time_since_epoch().count()) : "",
              is_locality ? std::to_string(counter_field(id)) : "", is_locality ? std::to_string(pid_field(id)) : "",
              number_of(node_field(id)), base32_of(id));
    }
}

// Forms of one id, right and wrong, and with characters of each kind changed, added before, or taken away.
void print_texts() {
    const std::string id = "20be0ffc-314a-bd53-7a50-013a65ca76d2";
    std::vector<std::string> texts{
        "", "{}", id, "20BE0FFC-314A-BD53-7A50-013A65CA76D2", "20be0ffc314abd537a50013a65ca76d2",
        "20be-0ffc-314a-bd53-7a50-013a-65ca-76d2", "20be-0ffc314abd53-7a50013a65ca76d2",
        "20be0ffc-314a-bd53-7a50-013a-65ca76d2", "2-0be0ffc314abd537a50013a65ca76d2",
        "20be0ffc-314abd-537a50013a65ca76d2", "20be0ffc--314a-bd53-7a50-013a65ca76d2",
        "20be0ffc314abd537a50013a65ca76d2-", "-20be0ffc314abd537a50013a65ca76d2",
        "{20be0ffc-314a-bd53-7a50-013a65ca76d2}", "{20be0ffc314abd537a50013a65ca76d2}",
        "{{20be0ffc-314a-bd53-7a50-013a65ca76d2}}", "{20be0ffc-314a-bd53-7a50-013a65ca76d2-}",
        "}20be0ffc-314a-bd53-7a50-013a65ca76d2{", "(20be0ffc-314a-bd53-7a50-013a65ca76d2)",
        "urn:uuid:20be0ffc-314a-bd53-7a50-013a65ca76d2", "uuid:20be0ffc-314a-bd53-7a50-013a65ca76d2",
        "20be0ffc-314a-bd53-7a50-013a65ca76d2x", " 20be0ffc-314a-bd53-7a50-013a65ca76d2",
        "20be0ffc-314a-bd53-7a50-013a65ca76d2 ", "2_be0ffc-314a-bd53-7a50-013a65ca76d2",
        "0x20be0ffc314abd537a50013a65ca76", "0x20be0ffc314abd537a50013a65ca76d2", "+0be0ffc314abd537a50013a65ca76d2",
        // Digits of other scripts, and letters that only look like digits, or do in the other case.
        "٢0be0ffc-314a-bd53-7a50-013a65ca76d2", "２0be0ffc-314a-bd53-7a50-013a65ca76d2",
        "20ʙe0ffc-314a-bd53-7a50-013a65ca76d2", "20be0ﬀc-314a-bd53-7a50-013a65ca76d2",
        "20be0ffc‐314a‐bd53‐7a50‐013a65ca76d2"};
    for (const std::size_t at : {0, 4, 7, 8, 9, 18, 24, 28, 35, 36}) {
        const std::string before = id.substr(0, at), from = id.substr(at), after = from.substr(from.empty() ? 0 : 1);
        texts.push_back(before + after);
        for (const char put : std::string(at % 18 == 0 ? "-g0{}" : "-g")) {
            texts.push_back(before + put + from);
            texts.push_back(before + put + after);
        }
    }
    std::sort(texts.begin(), texts.end());
    texts.erase(std::unique(texts.begin(), texts.end()), texts.end());
    for (const std::string& text : texts) {
        const auto id = parse(text);
        print("text", text, id ? to_string(*id) : "");
    }
}

void print_boundaries() {
    constexpr std::int64_t second = 1'000'000;
    std::vector<std::int64_t> times{INT64_MIN, INT64_MAX};
    for (const std::int64_t time :
         {detail::first_gregorian.time_since_epoch().count(), std::int64_t{-62'135'596'800} * second, std::int64_t{0},
          std::int64_t{1'350'327'498'450'000}, std::int64_t{253'402'300'800} * second,
          detail::last_gregorian.time_since_epoch().count(), std::int64_t{103'072'857'600} * second,
          static_cast<std::int64_t>(millisecond_max) * 1000})
        for (const std::int64_t beside : {-1, 0, 999})
            times.push_back(time + beside);
    for (const std::int64_t time : times)
        print("boundary", std::to_string(time), to_string(floor_of(Time(std::chrono::microseconds(time)))),
              to_string(ceiling_of(Time(std::chrono::microseconds(time)))));
}

void print_shards() {
    for (const std::uint32_t shards : {1u, 3u, 16u, 65'536u, 1'000'003u, 0x7fff'ffffu}) {
        const std::uint32_t last_of_first = 0xffff'ffffu / shards;
        for (const std::uint32_t prefix : {0u, last_of_first, last_of_first + 1, 0x20be'0ffcu, 0xffff'ffffu}) {
            const Id id{std::uint64_t{prefix} << 32 | 0xb000, 0};
            print("shard", to_string(id), std::to_string(shards), std::to_string(shard_of(id, *Shards::of(shards))));
        }
    }
}

void print_base32() {
    for (const char* text :
         {"00000000000000000000000000", "7zzzzzzzzzzzzzzzzzzzzzzzzz", "7ZZZZZZZZZZZZZZZZZZZZZZZZZ",
          "8zzzzzzzzzzzzzzzzzzzzzzzzz", "0oO1iIlL00000000000000000a", "0123-4567-89ab-cdef-ghjk-mnpq-rs",
          "0123456789abcdefghjkmnpqru", "0123456789abcdefghjkmnpqr", "0123456789abcdefghjkmnpqrst", "", "-",
          "0123456789abcdefghjkmnpqr ", "0123456789abcdefghjkmnpqr\xc3\xa9"}) {
        const auto id = parse_base32(text);
        print("base32", text, id ? to_string(*id) : "");
    }
}

void print_seeds() {
    for (const std::uint64_t millisecond :
         {std::uint64_t{0}, std::uint64_t{599'999}, std::uint64_t{600'000}, std::uint64_t{951'782'400'000},
          std::uint64_t{1'367'110'800'000}, std::uint64_t{1'795'219'887'043}, std::uint64_t{4'107'542'399'999},
          std::uint64_t{253'402'300'799'999}, std::uint64_t{253'402'300'800'000}, millisecond_max})
        print("seed", std::to_string(millisecond), std::to_string(detail::window_seed(detail::window_of(millisecond))));
}

void print_nodes() {
    for (const char* digits : {"00000000000000000000000000000000", "0123456789abcdef0123456789abcdef"})
        for (const detail::HardwareAddress address : {std::uint64_t{0}, std::uint64_t{0x0200'5e10'0001}}) {
            detail::MachineIdentity identity{};
            std::copy_n(digits, 32, identity.begin());
            print("node", digits, std::to_string(address), std::to_string(detail::node_hash(identity, address)));
        }
}

// A generator that prints what it is asked and what it answers.
class Sequence {
public:
    Sequence(std::uint32_t step, Identity who) : generator_(step), who_(who) {
        print("generator", std::to_string(step), std::to_string(who.pid), std::to_string(who.node));
    }

    void next(CounterMode mode, LocalityVersion version, std::uint64_t now, int times = 1) {
        const Id last = repeat(times, [&] { return generator_.next(mode, version, who_, now); });
        print("next", mode == CounterMode::variable ? "variable" : "sequential", number(version), std::to_string(now),
              std::to_string(times), to_string(last));
    }

    void near(const Id& neighbor, PrefixBits bits, LocalityVersion version, std::uint64_t now, int times = 1) {
        const Id last = repeat(
            times, [&] { return generator_.next_within(detail::neighbour_range(neighbor, bits), version, who_, now); });
        print("near", to_string(neighbor), std::to_string(bits.value()), number(version), std::to_string(now),
              std::to_string(times), to_string(last));
    }

    void in_shard(std::int64_t shard, Shards shards, LocalityVersion version, std::uint64_t now, int times = 1) {
        const detail::BlockRange range = detail::shard_range(*Shard::of(shard, shards));
        const Id last = repeat(times, [&] { return generator_.next_within(range, version, who_, now); });
        print("in_shard", std::to_string(shard), std::to_string(shards.value()), number(version), std::to_string(now),
              std::to_string(times), to_string(last));
    }

private:
    static std::string number(LocalityVersion version) { return std::to_string(static_cast<int>(version)); }

    template <class Make>
    static Id repeat(int times, Make make) {
        Id last;
        for (int time = 0; time < times; ++time)
            last = make();
        return last;
    }

    LocalityGenerator generator_;
    Identity who_;
};

void print_sequences() {
    constexpr auto variable = CounterMode::variable, sequential = CounterMode::sequential;
    constexpr auto vb = LocalityVersion::vb, v8 = LocalityVersion::v8;
    constexpr std::uint64_t now = 1'795'219'887'043;  // a window's 287 043rd millisecond
    constexpr std::uint64_t later_window = now + 600'000;
    const Identity who{12'618, 0xd53'7a50};
    const Id neighbor = locality_id(vb, 0x20be'0ffc, who, now);

    for (const auto& [mode, version] : {std::pair(variable, vb), {sequential, v8}}) {
        Sequence in_time(0xffff'fffd, who);
        for (const std::uint64_t clock : {now, now, now, now + 1, now + 2, now + 2})
            in_time.next(mode, version, clock);
        for (const std::uint64_t clock : {now - 1, now - 9'998, now, now + 2, now + 3})  // held
            in_time.next(mode, version, clock);
        for (const std::uint64_t clock : {now - 9'998, now - 9'997, now - 9'998, now + 4})  // followed, and held
            in_time.next(mode, version, clock);
        in_time.next(mode, version, now + 4, mode == sequential ? 70'000 : 3);  // wraps
        in_time.next(mode, version, now + 5, 5);
        in_time.next(mode, version, later_window, 3);
        in_time.next(mode, version, later_window - 600'000, 2);  // followed, without the former seed
        in_time.next(mode, version, later_window, 2);
    }
    for (const std::uint32_t step : {0xfffdu, 0x1234'fffdu}) {
        Sequence wrapping(step, {0xffff, node_max});
        for (int id = 0; id < 3; ++id)
            wrapping.next(variable, vb, now);
    }
    Sequence mixed(7, {1, 1});
    for (int turn = 0; turn < 2; ++turn)
        for (const auto version : {vb, v8})
            for (const auto mode : {variable, sequential})
                mixed.next(mode, version, now + static_cast<std::uint64_t>(turn));

    Sequence placed(0x89ab'cdef, who);
    placed.near(neighbor, 16, vb, now);
    placed.near(neighbor, 16, vb, now, 65'531);
    for (int id = 0; id < 6; ++id)  // fills the millisecond
        placed.near(neighbor, 16, vb, now);
    placed.near(neighbor, 0, v8, now, 1000);
    placed.near(neighbor, 3, vb, now, 1000);
    placed.next(variable, vb, now, 10);
    placed.near(neighbor, 17, vb, now, 300);
    placed.near(neighbor, 32, v8, now, 3);
    placed.near(neighbor, 16, vb, now - 5'000);
    placed.near(neighbor, 16, vb, now - 50'000, 2);
    placed.next(sequential, v8, now, 20'000);
    placed.in_shard(0, 1, vb, now + 1, 100);
    placed.in_shard(1, 3, vb, now + 1, 100);
    placed.in_shard(9, 10, v8, now + 1, 1000);
    placed.in_shard(65'535, 65'536, vb, now + 2, 2);
    placed.in_shard(65'537, 131'072, vb, now + 2, 2);
    placed.in_shard(0x7fff'fffe, 0x7fff'ffff, vb, now + 2, 3);
    placed.next(variable, vb, now + 3, 10);
    placed.in_shard(5, 16, vb, now + 3, 2);
}

// Version 7 by the clock and of given times (both in 100 ns since 1970), with the random bits that it is given.
void print_version7() {
    constexpr TickTime now{Ticks(17'952'198'870'430'000)};
    constexpr std::uint64_t all = ~std::uint64_t{0}, some = 0x9e37'79b9'7f4a'7c15;
    detail::V7Timeline timeline;
    print("generator7", "");
    const auto next = [&](TickTime clock, std::uint64_t random) {
        print("next7", std::to_string(clock.time_since_epoch().count()), std::to_string(random),
              to_string(timeline.next(clock, random)));
    };
    const auto at = [&](TickTime time, std::uint64_t random) {
        const auto id = timeline.next_at(std::chrono::floor<std::chrono::microseconds>(time), [&] { return random; });
        print("at7", std::to_string(time.time_since_epoch().count()), std::to_string(random), to_string(*id));
    };
    for (const int ticks : {0, 1, 3, 4, 5, 9'998, 9'999, 10'000, -1, -100'000, -1'000'000, 10'001, 20'000})
        for (const std::uint64_t random : {some, std::uint64_t{0}})
            next(now + Ticks(ticks), random);
    for (const std::uint64_t random :
         {all, all, all >> 2, all, std::uint64_t{0}, some})  // to the last of a stamp, and past it
        next(now + Ticks(30'000), random);
    for (const TickTime time : {TickTime(), TickTime(), TickTime(Ticks(10)), now, now + Ticks(10), now + Ticks(9'990),
                                now, TickTime(std::chrono::milliseconds(millisecond_max)) + Ticks(9'990)})
        for (const std::uint64_t random : {some, all})
            at(time, random);
    next(now, some);
}

}  // namespace

int main() {
    print_ids(hostile_ids());
    print_texts();
    print_boundaries();
    print_shards();
    print_base32();
    print_seeds();
    print_nodes();
    print_sequences();
    print_version7();
}
