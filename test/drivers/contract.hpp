// What an application does with ids, whatever its C++ driver. A suite says how its driver does each step; the tests are
// here. A driver is a class with insert, generate, find, among, since, ordered, and sqlstate_of, which returns the
// server's SQLSTATE for a text that is no id.
#pragma once

#include "catch.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

namespace drivers {

using Ids = std::vector<std::string>;

struct Row {
    std::string id, time;  // no time where the id has none
};

// The ids of test/data/ids.tsv, in chronological order.
inline const std::vector<Row>& rows() {
    static const std::vector<Row> all = [] {
        std::vector<Row> read;
        std::ifstream file(std::getenv("LUUID_IDS"));
        for (Row row; std::getline(std::getline(file, row.id, '\t'), row.time);)
            read.push_back(row);
        return read;
    }();
    return all;
}

inline Ids ids() {
    Ids all;
    for (const Row& row : rows())
        all.push_back(row.id);
    return all;
}

// An array of ids as text, which libpq and libpqxx 6 leave to the application.
inline std::string array_literal(const Ids& ids) {
    std::string literal;
    for (const std::string& id : ids)
        literal += (literal.empty() ? "{" : ",") + id;
    return (ids.empty() ? "{" : literal) + "}";
}

template <class Driver>
void keeps_the_contract() {
    Driver driver;
    const Ids all = ids();
    REQUIRE(all.size() == 11);

    SECTION("ids of the client are stored and read back") {
        Ids shuffled = all;
        std::sort(shuffled.begin(), shuffled.end());
        driver.insert(shuffled);
        CHECK(driver.ordered() == all);
    }
    SECTION("ids of the server come back as made") {
        Ids made;
        for (int n = 0; n < 100; n++)
            made.push_back(driver.generate());
        CHECK(std::all_of(made.begin(), made.end(), [](const std::string& id) { return id.at(14) == '7'; }));
        CHECK(driver.ordered() == made);
    }
    SECTION("an id finds its row, alone or among others") {
        driver.insert({all.begin() + 1, all.end()});
        CHECK(driver.find(all[0]) == Ids{});
        for (std::size_t n = 1; n < all.size(); n++)
            CHECK(driver.find(all[n]) == Ids{all[n]});
        CHECK(driver.among({all[5], all[0], all[1]}) == Ids{all[1], all[5]});
        CHECK(driver.among({}) == Ids{});
    }
    SECTION("a time finds the rows since") {
        driver.insert(all);
        for (const Row& row : rows()) {
            if (row.time.empty())
                continue;
            const auto first =
                std::find_if(rows().begin(), rows().end(), [&](const Row& r) { return r.time == row.time; });
            CHECK(driver.since(row.time) == Ids(all.begin() + (first - rows().begin()), all.end()));
        }
    }
    SECTION("what is no id is refused") {
        CHECK(driver.sqlstate_of("20be0ffc-314a-bd53-7a50-013a65ca76d2x") == "22P02");
        driver.insert(all);
    }
}

}  // namespace drivers
