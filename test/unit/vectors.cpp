// The vectors with which the clients are tested, in test/data/vectors.tsv: the library reads and makes the same. The
// first word of a line says what the others are, with numbers in decimal:
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

namespace {

using Words = std::vector<std::string>;

Words words_of(const std::string& line) {
    Words words;
    std::istringstream fields(line + '\t');
    for (std::string word; std::getline(fields, word, '\t');)
        words.push_back(word);
    return words;
}

std::uint64_t number(const std::string& word) { return std::stoull(word); }
TickTime ticks(const std::string& word) { return TickTime(Ticks(std::stoll(word))); }
LocalityVersion version(const std::string& word) { return static_cast<LocalityVersion>(number(word)); }

template <class Number>
std::string written(const std::optional<Number>& number) {
    return number ? std::to_string(*number) : "";
}

std::string fields_of(const Id& id) {
    const auto time = time_of(id);
    const bool is_of_locality = is_locality(layout_of(id));
    char base32[base32_size];
    format_base32(id, base32);
    return to_string(id) + '\t' + std::to_string(version_nibble(id)) + '\t' +
           (time ? std::to_string(time->time_since_epoch().count()) : "") + '\t' +
           (is_of_locality ? std::to_string(counter_field(id)) + '\t' + std::to_string(pid_field(id)) : "\t") + '\t' +
           written(node_field(id)) + '\t' + std::string(base32, sizeof base32);
}

std::string read(const std::string& text) {
    const auto id = parse(text);
    return id ? to_string(*id) : "";
}

std::string read_base32(const std::string& text) {
    const auto id = parse_base32(text);
    return id ? to_string(*id) : "";
}

// The generators, as the lines tell it what to make.
struct Maker {
    std::unique_ptr<LocalityGenerator> generator = {};
    Identity who = {};
    std::unique_ptr<V7Timeline> timeline = {};

    Id make(const Words& words) {
        const std::string& kind = words[0];
        if (kind == "next7")
            return timeline->next(ticks(words[1]), number(words[2]));
        if (kind == "at7")
            return *timeline->next_at(std::chrono::floor<std::chrono::microseconds>(ticks(words[1])),
                                      [&] { return number(words[2]); });
        const std::uint64_t now = number(words[words.size() - 3]);
        Id last;
        for (std::uint64_t times = number(words[words.size() - 2]); times > 0; --times)
            if (kind == "next")
                last = generator->next(words[1] == "variable" ? CounterMode::variable : CounterMode::sequential,
                                       version(words[2]), who, now);
            else
                last = generator->next_within(
                    kind == "near" ? neighbour_range(id_of(words[1]), *PrefixBits::of(std::stoll(words[2])))
                                   : shard_range(*Shard::of(std::stoll(words[1]), *Shards::of(std::stoll(words[2])))),
                    version(words[3]), who, now);
        return last;
    }
};

}  // namespace

TEST_CASE("the clients' vectors", "[vectors]") {
    std::ifstream file("../data/vectors.tsv");
    std::map<std::string, int> lines;
    Maker maker;
    std::optional<Id> before;
    for (std::string line; std::getline(file, line);) {
        CAPTURE(line);
        const Words words = words_of(line);
        const std::string& kind = words[0];
        ++lines[kind];
        if (kind == "id") {
            const Id id = id_of(words[1]);
            CHECK("id\t" + fields_of(id) == line);
            if (before)
                CHECK(*before < id);
            before = id;
        } else if (kind == "text") {
            CHECK(read(words[1]) == words[2]);
        } else if (kind == "base32") {
            CHECK(read_base32(words[1]) == words[2]);
        } else if (kind == "boundary") {
            const Time time{std::chrono::microseconds(std::stoll(words[1]))};
            CHECK(to_string(floor_of(time)) == words[2]);
            CHECK(to_string(ceiling_of(time)) == words[3]);
        } else if (kind == "shard") {
            CHECK(std::to_string(shard_of(id_of(words[1]), *Shards::of(std::stoll(words[2])))) == words[3]);
        } else if (kind == "seed") {
            CHECK(window_seed(window_of(number(words[1]))) == number(words[2]));
        } else if (kind == "node") {
            MachineIdentity identity{};
            std::copy_n(words[1].begin(), 32, identity.begin());
            CHECK(node_hash(identity, number(words[2])) == number(words[3]));
        } else if (kind == "generator") {
            maker.generator = std::make_unique<LocalityGenerator>(static_cast<std::uint32_t>(number(words[1])));
            maker.who = {static_cast<std::uint16_t>(number(words[2])), static_cast<std::uint32_t>(number(words[3]))};
        } else if (kind == "generator7") {
            maker.timeline = std::make_unique<V7Timeline>();
        } else {
            CHECK(maker.make(words) == id_of(words.back()));
        }
    }
    CHECK(lines == std::map<std::string, int>{{"at7", 16},
                                              {"base32", 13},
                                              {"boundary", 26},
                                              {"generator", 6},
                                              {"generator7", 1},
                                              {"id", 178},
                                              {"in_shard", 7},
                                              {"near", 14},
                                              {"next", 57},
                                              {"next7", 33},
                                              {"node", 4},
                                              {"seed", 10},
                                              {"shard", 30},
                                              {"text", 90}});
}
