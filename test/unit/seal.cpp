// Sealed ids: the vectors of test/data/sealed.tsv, and laws over random ids and keys.

namespace {

std::vector<unsigned char> bytes_of(const std::string& hex) {
    std::vector<unsigned char> bytes;
    for (std::size_t at = 0; at < hex.size(); at += 2)
        bytes.push_back(static_cast<unsigned char>(std::stoul(hex.substr(at, 2), nullptr, 16)));
    return bytes;
}

SealKey key_of(const std::string& hex) {
    REQUIRE(hex.size() == 2 * seal_key_size);
    return load_seal_key(bytes_of(hex).data());
}

std::optional<Id> expected(const std::string& text) { return text.empty() ? std::nullopt : std::optional(id_of(text)); }

// Byte by byte, as the paper describes the two words of such a message.
std::uint64_t siphash_of(SealKey key, const std::vector<unsigned char>& message) {
    std::uint64_t words[2] = {0, std::uint64_t{message.size()} << 56};
    for (std::size_t at = 0; at < message.size(); ++at)
        words[at / 8] |= std::uint64_t{message[at]} << at % 8 * 8;
    return detail::siphash(key, words[0], words[1]);
}

static_assert(seal({0x018f'2d9f'9a2a'7def, 0x8c3f'7b1a'2c4d'5e6f}, {0x0123'4567'89ab'cdef, 0xfedc'ba98'7654'3210}) ==
              Id{0x2463'c780'7fca'4def, 0x8c3f'7b1a'2c4d'5e6f});

}  // namespace

TEST_CASE("SipHash's and UUIDv47's vectors", "[seal]") {
    std::ifstream file("../data/sealed.tsv");
    std::map<std::string, int> lines;
    for (std::string line; std::getline(file, line);) {
        CAPTURE(line);
        std::istringstream fields(line);
        std::string kind, key, given, result;
        std::getline(fields, kind, '\t');
        std::getline(fields, key, '\t');
        std::getline(fields, given, '\t');
        std::getline(fields, result);
        if (kind == "siphash")
            CHECK(siphash_of(key_of(key), bytes_of(given)) == std::stoull(result, nullptr, 16));
        if (kind == "seal")
            CHECK(seal(id_of(given), key_of(key)) == expected(result));
        if (kind == "seal" && !result.empty())
            CHECK(unseal(id_of(result), key_of(key)) == id_of(given));
        if (kind == "unseal")
            CHECK_FALSE(unseal(id_of(given), key_of(key)));
        ++lines[line[0] == '#' ? "comment" : kind];
    }
    CHECK(lines == std::map<std::string, int>{{"comment", 5}, {"siphash", 8}, {"seal", 56}, {"unseal", 21}});
}

TEST_CASE("what is sealed opens with its key alone, and keeps the random bits", "[seal]") {
    samples::Random random(68);
    for (int i = 0; i < 10'000; ++i) {
        const Id id = samples::with_variant(samples::with_version(samples::any_id(random), 7), 2);
        const SealKey key{random.bits(), random.bits()};
        const auto sealed = seal(id, key);
        REQUIRE(sealed);
        CHECK(version_nibble(*sealed) == 4);
        CHECK((sealed->msb & 0xfff) == (id.msb & 0xfff));
        CHECK(sealed->lsb == id.lsb);
        CHECK(unseal(*sealed, key) == id);
        CHECK_FALSE(unseal(id, key));
        CHECK_FALSE(seal(*sealed, key));
        CHECK(unseal(*sealed, {key.k0 ^ std::uint64_t{1} << random.below(64), key.k1}) != id);
        CHECK(unseal(*sealed, {key.k0, key.k1 ^ std::uint64_t{1} << random.below(64)}) != id);
    }
}
