// duplicates FILE...: reads files of COPY BINARY of one uuid or luuid column, and counts the ids and those that repeat
// another.
#include "duplicates.hpp"

#include <cstdio>
#include <cstdlib>

using namespace luuid;
using namespace luuid::detail;

namespace {

// https://www.postgresql.org/docs/current/sql-copy.html, "Binary Format"
constexpr std::size_t header_size = 19;
constexpr std::size_t row_header_size = 6;  // one field, of 16 bytes
constexpr unsigned char row_header[row_header_size] = {0, 1, 0, 0, 0, id_size};

void append(const char* path, std::vector<Id>& ids) {
    std::FILE* file = std::fopen(path, "rb");
    unsigned char row[row_header_size + id_size];
    if (file == nullptr || std::fread(row, 1, header_size, file) != header_size) {
        std::perror(path);
        std::exit(1);
    }
    while (std::fread(row, 1, sizeof row, file) == sizeof row && std::equal(row_header, std::end(row_header), row))
        ids.push_back(load(row + row_header_size));
    std::fclose(file);
}

}  // namespace

int main(int argc, char** argv) {
    std::vector<Id> ids;
    for (int at = 1; at < argc; ++at)
        append(argv[at], ids);
    const std::size_t duplicates = bench::count_duplicates(ids);
    std::printf("%zu\t%zu\n", ids.size(), duplicates);
}
