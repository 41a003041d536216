// Parses any text as an id, as base 32, as a short key and as a time. No parser reads past the end of the text, and a
// value that it accepts is the same after it was written and parsed again.
#include "../../src/cli/rfc3339.hpp"

#include <luuid/base32.hpp>
#include <luuid/standard.hpp>
#include <luuid/uniqid.hpp>

#include <cstdlib>
#include <vector>

using namespace luuid;

namespace {

void require(bool holds) {
    if (!holds)
        std::abort();
}

// All four, of characters that end where the allocation does.
void check(const std::vector<char>& characters) {
    const std::string_view text(characters.data(), characters.size());

    ParseError error;
    const auto id = parse(text, error);
    ParseError unused;
    require(id == luuid::detail::parse_any_form(text, unused));
    require(id ? parse(to_string(*id)) == id : error.at <= text.size());
    require(!is_canonical(text) || id);

    if (const auto read = parse_base32(text)) {
        char written[base32_size];
        format_base32(*read, written);
        require(parse_base32({written, base32_size}) == read);
    }
    if (const auto read = parse_uniqid(text)) {
        char written[uniqid_size_max];
        const auto again = parse_uniqid(format_uniqid(*read, 1000, written));
        require(again && id_from_uniqid(*again) == id_from_uniqid(*read));
    }
    // A time as text is one of ticks, whose years are fewer.
    constexpr Time latest = std::chrono::floor<Time::duration>(TickTime::max());
    if (const cli::ParsedTime read = cli::parse_time(text);
        read.fault == cli::TimeFault::none && read.time <= latest && read.time >= -latest.time_since_epoch() + Time{})
        require(cli::parse_time(cli::format_time(read.time)).time == read.time);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const char* data, std::size_t size) {
    check({data, data + size});
    return 0;
}
