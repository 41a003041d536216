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

    const ParsedText parsed = parse(text), of_any_form = luuid::detail::parse_any_form(text);
    require(parsed.fault == of_any_form.fault && parsed.stop == of_any_form.stop && parsed.id == of_any_form.id);
    require(parsed.fault == TextFault::none ? parse(to_string(parsed.id)).id == parsed.id : parsed.stop <= text.size());
    require(!is_canonical(text) || parsed.fault == TextFault::none);

    if (const ParsedBase32 read = parse_base32(text); read.fault == Base32Fault::none) {
        char written[base32_size];
        format_base32(read.id, written);
        require(parse_base32({written, base32_size}).id == read.id);
    }
    if (const ParsedUniqid read = parse_uniqid(text); read.fault == UniqidFault::none) {
        char written[uniqid_size_max];
        const char* end = format_uniqid(read.key, *UniqidShards::of(1000), written);
        const Uniqid again = parse_uniqid({written, static_cast<std::size_t>(end - written)}).key;
        require(id_from_uniqid(again) == id_from_uniqid(read.key));
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
