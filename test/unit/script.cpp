// The fuzzer's scripts of a generator: those of its corpus, and random ones.
#include "../fuzz/script.hpp"

namespace {

void run(const std::vector<std::uint8_t>& bytes) { script::run(bytes.data(), bytes.size()); }

}  // namespace

TEST_CASE("the scripts of the fuzzer's corpus break no law", "[script]") {
    std::ifstream file("../fuzz/corpus.txt");
    int scripts = 0;
    for (std::string line; std::getline(file, line); ++scripts) {
        CAPTURE(line);
        std::vector<std::uint8_t> bytes;
        for (std::size_t at = 0; at + 1 < line.size(); at += 2)
            bytes.push_back(static_cast<std::uint8_t>(std::stoul(line.substr(at, 2), nullptr, 16)));
        run(bytes);
    }
    CHECK(scripts > 30);
}

TEST_CASE("random scripts break no law", "[script]") {
    const std::uint64_t seed = GENERATE(range(1, 151));
    CAPTURE(seed);
    samples::Random random(seed);
    // Of few different bytes, so that some have a clock that stands still, and some but one kind of ids.
    std::vector<std::uint8_t> alphabet(4 + random.below(16)), bytes(2000);
    for (std::uint8_t& byte : alphabet)
        byte = static_cast<std::uint8_t>(random.below(256));
    for (std::uint8_t& byte : bytes)
        byte = alphabet[random.below(alphabet.size())];
    run(bytes);
}
