// Ids in the streams of the standard library.
#pragma once

#include <luuid/standard.hpp>

#include <istream>
#include <ostream>

namespace luuid {

// The canonical 36 characters, padded to the stream's width.
inline std::ostream& operator<<(std::ostream& out, const Id& id) { return out << to_string(id); }

// Reads a word that parse() accepts; sets failbit at another one, and leaves the id as it is.
inline std::istream& operator>>(std::istream& in, Id& id) {
    std::string word;
    if (in >> word) {
        if (const auto read = parse(word))
            id = *read;
        else
            in.setstate(std::ios_base::failbit);
    }
    return in;
}

}  // namespace luuid
