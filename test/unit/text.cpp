// The text form: valid texts, errors and their positions, compared with a second implementation of uuid.c's rules;
// strings and streams of the standard library.
#include <luuid/stream.hpp>

#include <iomanip>

#include <sys/mman.h>
#include <unistd.h>

namespace {

std::string formatted(const Id& id) {
    std::string text(text_size, '?');
    format(id, std::span<char, text_size>(text));
    return text;
}

// Parsing agrees with uuid.c, and stops where no continuation is valid. True if the text is valid.
bool parses_as_uuid_does(const std::string& text) {
    ParseError error;
    const auto parsed = parse(Exactly(text), error);
    const bool braced = text.starts_with('{');
    const auto digits_in = [](const std::string& start) {
        return static_cast<std::size_t>(std::count_if(start.begin(), start.end(), reference::is_digit));
    };
    // True if some continuation of these characters is valid.
    const auto is_promising = [&](const std::string& start) {
        const std::size_t digits = digits_in(start);
        if (digits > 32)
            return false;
        const bool open = start.starts_with('{') && !start.ends_with('}');
        return start.empty() || reference::parse(start + std::string(32 - digits, '0') + (open ? "}" : ""));
    };

    if (const auto expected = reference::parse(text)) {
        REQUIRE_LAW(parsed == expected, escaped(text));
        return true;
    }
    REQUIRE_LAW(!parsed, escaped(text));
    REQUIRE_LAW(error.at <= text.size(), escaped(text), error.at);
    const std::string fitting = text.substr(0, error.at);
    REQUIRE_LAW(is_promising(fitting), escaped(text), error.at);
    REQUIRE_LAW(error.at == text.size() || !is_promising(text.substr(0, error.at + 1)), escaped(text), error.at);
    const std::string_view reason = digits_in(fitting) < 32             ? "a hexadecimal digit"
                                    : braced && !fitting.ends_with('}') ? "a closing brace"
                                                                        : "the end";
    REQUIRE_LAW(error.what == reason, escaped(text), error.at);
    return false;
}

// 36 characters, 8-4-4-4-12. True if the text has this form.
bool is_canonical_where_it_says(const std::string& text) {
    bool expected = text.size() == 36;
    for (std::size_t at = 0; expected && at < 36; ++at)
        expected = at == 8 || at == 13 || at == 18 || at == 23 ? text[at] == '-' : reference::is_digit(text[at]);
    REQUIRE_LAW(is_canonical(Exactly(text)) == expected, escaped(text));
    return expected;
}

// A page of memory between two inaccessible ones.
class Pages {
public:
    Pages() : size_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))) {
        void* const all = mmap(nullptr, 3 * size_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        REQUIRE(all != MAP_FAILED);
        begin_ = static_cast<char*>(all) + size_;
        REQUIRE(mprotect(begin_, size_, PROT_READ | PROT_WRITE) == 0);
    }
    Pages(const Pages&) = delete;
    Pages& operator=(const Pages&) = delete;
    ~Pages() { munmap(begin_ - size_, 3 * size_); }

    char* begin() const { return begin_; }
    char* end() const { return begin_ + size_; }

private:
    std::size_t size_;
    char* begin_ = nullptr;
};

constexpr Id example{0x20be0ffc314abd53, 0x7a50013a65ca76d2};
static_assert(parse("20be0ffc-314a-bd53-7a50-013a65ca76d2") == example);
static_assert(!parse(""));
static_assert(is_canonical("20be0ffc-314a-bd53-7a50-013a65ca76d2"));

}  // namespace

TEST_CASE("mutated texts parse as in uuid.c, and stop where no continuation is valid", "[text]") {
    samples::Random random(2);
    int accepted = 0;
    constexpr int rounds = 300'000;
    for (int i = 0; i < rounds; ++i) {
        std::string text = samples::some_form(samples::any_id(random), random);
        for (std::uint64_t left = 1 + random.below(3); left > 0; --left)
            samples::mutate(text, random);

        accepted += parses_as_uuid_does(text);
    }
    // Both branches above must be tested.
    CHECK(accepted > rounds / 50);
    CHECK(accepted < rounds / 2);
}

TEST_CASE("each of 256 characters at each of 36 positions gives the same result on every path", "[text]") {
    for (const std::string& text : {formatted(example), std::string("0123ABCD-4567-EFab-CDef-0f9A1d2B3c4E")})
        for (std::size_t place = 0; place < text_size; ++place)
            for (int c = 0; c < 256; ++c) {
                std::string mutated = text;
                mutated[place] = static_cast<char>(c);
                const bool fits = text[place] == '-' ? c == '-' : reference::is_digit(mutated[place]);
                REQUIRE_LAW(is_canonical_where_it_says(mutated) == fits, escaped(mutated));
                parses_as_uuid_does(mutated);
            }
    CHECK_FALSE(is_canonical("a0ee-bc99-9c0b-4ef8-bb6d6bb9bd380a11"));
}

TEST_CASE("each of 256 values of each byte is written as by the reference", "[text]") {
    for (unsigned shift = 0; shift < 64; shift += 8)
        for (std::uint64_t byte = 0; byte < 256; ++byte) {
            const std::uint64_t other = (0x5a ^ byte) << shift;
            for (const Id& id : {Id{byte << shift, other}, Id{other, byte << shift}}) {
                std::string expected = reference::digits(id);
                for (const std::size_t hyphen : {8, 13, 18, 23})
                    expected.insert(hyphen, 1, '-');
                REQUIRE_LAW(formatted(id) == expected, id, expected);
            }
        }
}

TEST_CASE("no memory before or after the text is accessed", "[text]") {
    const Pages pages;
    const std::string written = formatted(example);
    for (std::size_t size = 0; size <= text_size; ++size)
        for (char* const at : {pages.begin(), pages.end() - size}) {
            written.copy(at, size);
            ParseError error;
            CHECK((parse({at, size}, error) || error.at == size));
            CHECK(is_canonical({at, size}) == (size == text_size));
        }
    for (char* const at : {pages.begin(), pages.begin() + 1, pages.end() - text_size - 1, pages.end() - text_size}) {
        std::fill(pages.begin(), pages.end(), '?');
        format(example, std::span<char, text_size>(at, text_size));
        CHECK(std::string(at, text_size) == written);
        CHECK(std::count(pages.begin(), pages.end(), '?') == pages.end() - pages.begin() - std::ptrdiff_t{text_size});
    }
}

TEST_CASE("the functions of <charconv> use the room that they have, and no more", "[text]") {
    const std::string text = formatted(example);
    char room[text_size + 1] = {};
    CHECK(to_chars(room, room + text_size, example).ptr == room + text_size);
    CHECK(std::string(room) == text);
    CHECK((to_chars(room, room + text_size - 1, nil_id).ec == std::errc::value_too_large));
    CHECK(std::string(room) == text);

    Id id;
    const std::string more = text + "-";
    CHECK(from_chars(more.data(), more.data() + more.size(), id).ptr == more.data() + text_size);
    CHECK(id == example);
    const std::string broken = "x" + text;
    for (const auto& [begin, size] : {std::pair(text.data(), text_size - 1), std::pair(broken.data(), text_size)}) {
        const auto [ptr, ec] = from_chars(begin, begin + size, id);
        CHECK((ptr == begin && ec == std::errc::invalid_argument));
        CHECK(id == example);
    }
}

TEST_CASE("streams write the canonical form and read every form", "[text]") {
    std::ostringstream out;
    out << std::setw(38) << std::setfill('.') << example << ' ' << nil_id;
    CHECK(out.str() == ".." + formatted(example) + ' ' + formatted(nil_id));

    std::istringstream in("  {20BE0FFC314Abd537A50013A65CA76D2}\n" + formatted(nil_id) + " 20be oops");
    Id first, second{1, 1}, third{2, 2};
    in >> first >> second;
    CHECK(in.good());
    CHECK((first == example && second == nil_id));
    in >> third;
    CHECK((in.fail() && !in.eof() && third == Id{2, 2}));
    in.clear();
    in >> third >> third;
    CHECK((in.fail() && in.eof()));
}
