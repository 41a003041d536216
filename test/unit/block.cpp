// The counter block: the steps of the variable counter, its nibbles, and the sequence under which both modes count. It
// tests all 2^32 blocks, of which other tests see a part. vectors.cpp and locality_generator.cpp have the counters.

namespace {

static_assert(variable_step == 198'491'317);
static_assert(variable_step % 2 == 1, "coprime to 2^32");
static_assert(0x519dULL * 198'491'317ULL % 65'536 == 1);

// The published example.
static_assert(reverse_nibbles(0x20be0ffc) == 0xCFF0EB02 && 0xCFF0EB02 == 3'488'672'514);
static_assert(reverse_nibbles(0x12345678) == 0x87654321);

static_assert(Counters(0).sequential(window_milliseconds) == window_seed(1), "each window but the first is seeded");

// The sequence computed digit by digit.
constexpr std::uint32_t written_out_sequence(std::uint32_t w) {
    std::uint64_t n[8] = {};
    for (int i = 0; i < 8; ++i)
        n[i] = w >> (28 - 4 * i) & 0xf;
    const std::uint64_t c = n[0] + 16 * n[1] + 256 * n[2] + 4096 * n[3];
    return static_cast<std::uint32_t>(c * 0x519d % 65'536 * 65'536 + w % 65'536);
}

}  // namespace

TEST_CASE("each nibble moves to its mirrored position, and none is lost", "[block]") {
    for (unsigned nibble = 0; nibble < 8; ++nibble)
        for (std::uint32_t value = 0; value < 16; ++value)
            CHECK(reverse_nibbles(value << 4 * nibble) == value << 4 * (7 - nibble));
}

TEST_CASE("reversing twice changes nothing, and nibbles do not mix", "[block]") {
    samples::Random random(1);
    for (int i = 0; i < 1'000'000; ++i) {
        const auto a = static_cast<std::uint32_t>(random.bits());
        const auto b = static_cast<std::uint32_t>(random.bits());
        REQUIRE_LAW(reverse_nibbles(reverse_nibbles(a)) == a, a);
        REQUIRE_LAW(reverse_nibbles(a ^ b) == (reverse_nibbles(a) ^ reverse_nibbles(b)), a, b);
    }
}

// If each step can be computed from its block, no two of the 2^32 steps have the same block. It can, since the step
// times its inverse is 1, and reversing twice changes nothing.
TEST_CASE("the variable counter visits all 2^32 blocks before it repeats one", "[block]") {
    samples::Random random(2);
    for (std::uint32_t from : {0U, 0x7fff'0000U, 0xffff'0000U, static_cast<std::uint32_t>(random.bits())}) {
        Counters counters(from);
        for (std::uint32_t i = 1; i <= 1'000'000; ++i) {
            const std::uint32_t block = counters.next_variable();
            REQUIRE_LAW(step_of(block) == from + i, from, i, block);
        }
        CHECK(counters.step() == from + std::uint64_t{1'000'000});
    }
}

TEST_CASE("the sequence is that of the contract, and block_of is its inverse", "[block]") {
    const auto holds = [](std::uint32_t w) {
        REQUIRE_LAW(sequence_of(w) == written_out_sequence(w), w);
        REQUIRE_LAW(block_of(sequence_of(w)) == w, w);
        REQUIRE_LAW(sequence_of(block_of(w)) == w, w);
    };
    for (std::uint32_t half = 0; half < 65'536; ++half)
        for (const std::uint32_t other : {0x0000U, 0xffffU, 0x5a5aU}) {
            holds(half << 16 | other);
            holds(other << 16 | half);
        }
    samples::Random random(2);
    for (int i = 0; i < 1'000'000; ++i)
        holds(static_cast<std::uint32_t>(random.bits()));
}
