// Ids made by the Java implementation, with the fields that it read back from them.
#pragma once

#include "catch.hpp"

#include <fstream>
#include <string>
#include <vector>

struct JavaId {
    std::string mode;  // variable or sequential
    std::string text;
    std::string version;
    unsigned pid = 0;
    std::string mac_fragment;  // 12 hexadecimal digits
    std::uint64_t millisecond = 0;
    std::int64_t msb = 0;
    std::int64_t lsb = 0;

    luuid::Id id() const { return {static_cast<std::uint64_t>(msb), static_cast<std::uint64_t>(lsb)}; }
};

// In the order they were made; of one mode, or of both where it is empty.
inline std::vector<JavaId> java_ids(const std::string& mode = "") {
    std::ifstream file(LUUID_TEST_DATA "/java.tsv");
    std::vector<JavaId> all;
    JavaId row;
    while (file >> row.mode >> row.text >> row.version >> row.pid >> row.mac_fragment >> row.millisecond >> row.msb >>
           row.lsb)
        if (mode.empty() || mode == row.mode)
            all.push_back(row);
    REQUIRE(file.eof());
    REQUIRE(all.size() == (mode.empty() ? 90 : mode == "variable" ? 60 : 30));
    return all;
}
