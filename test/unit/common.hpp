// The headers of all tests, which the Makefile compiles once and includes in each.
#include "catch.hpp"
#include "counts.hpp"
#include "machine.hpp"
#include "reference.hpp"
#include "samples.hpp"

#include <luuid/detail/rfc_generator.hpp>
#include <luuid/detail/sort_keys.hpp>
#include <luuid/luuid.hpp>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <map>
#include <memory>
#include <set>
#include <thread>
#include <vector>

using namespace luuid;
using namespace luuid::detail;
using samples::id_of;

// A text at the end of its allocation, so that a sanitizer detects any read past it.
class Exactly {
public:
    explicit Exactly(std::string_view text) : copy_(text.begin(), text.end()) {}
    operator std::string_view() const { return {copy_.data(), copy_.size()}; }

private:
    std::vector<char> copy_;
};

// For failure reports: bytes outside printable ASCII as \x and two digits.
inline std::string escaped(std::string_view text) {
    std::string shown;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte >= 0x20 && byte < 0x7f)
            shown += c;
        else
            shown += {'\\', 'x', "0123456789abcdef"[byte >> 4], "0123456789abcdef"[byte & 0xf]};
    }
    return shown;
}
