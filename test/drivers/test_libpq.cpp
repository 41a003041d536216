// libpq: ids as text and as their 16 bytes, in statements, prepared statements and COPY.
#include <luuid/standard.hpp>
#include "contract.hpp"
#include "luuid_libpq.hpp"

#include <cstdint>
#include <memory>

namespace {

enum Format { text, binary };

using Result = std::unique_ptr<PGresult, decltype(&PQclear)>;

struct Parameter {
    std::string bytes;
    int format;
    const char* data = bytes.data();
    int size = static_cast<int>(bytes.size());
};

Result checked(PGresult* result) {
    INFO(PQresultErrorMessage(result));
    REQUIRE(PQresultStatus(result) != PGRES_FATAL_ERROR);
    return {result, PQclear};
}

std::string big_endian(std::uint32_t value, int bytes = 4) {
    std::string text;
    for (int shift = 8 * bytes - 8; shift >= 0; shift -= 8)
        text += static_cast<char>(value >> shift);
    return text;
}

std::string refusal_of(PGconn* connection, const char* statement, const Parameter& parameter) {
    const Result refused(
        PQexecParams(connection, statement, 1, nullptr, &parameter.data, &parameter.size, &parameter.format, binary),
        PQclear);
    REQUIRE(PQresultStatus(refused.get()) == PGRES_FATAL_ERROR);
    return PQresultErrorField(refused.get(), PG_DIAG_SQLSTATE);
}

// An id as it goes over the wire, from how the tests write it and back.
std::string encoded(const std::string& id, Format format) {
    if (format == text)
        return id;
    std::string bytes(luuid::id_size, '\0');
    luuid::store(*luuid::parse(id), reinterpret_cast<unsigned char*>(bytes.data()));
    return bytes;
}

std::string decoded(const std::string& value, Format format) {
    if (format == text)
        return value;
    REQUIRE(value.size() == luuid::id_size);
    return to_string(luuid::load(reinterpret_cast<const unsigned char*>(value.data())));
}

template <Format format>
class Libpq {
public:
    Libpq() { run("TRUNCATE event"); }

    void insert(const drivers::Ids& ids) {
        checked(PQprepare(connection(), "insert", "INSERT INTO event (id) VALUES ($1)", 1, nullptr));
        for (const std::string& id : ids) {
            const Parameter parameter{encoded(id, format), format};
            checked(
                PQexecPrepared(connection(), "insert", 1, &parameter.data, &parameter.size, &parameter.format, format));
        }
    }
    std::string generate() { return ids_of(run("INSERT INTO event DEFAULT VALUES RETURNING id")).at(0); }
    drivers::Ids find(const std::string& id) {
        return ids_of(run("SELECT id FROM event WHERE id = $1", {encoded(id, format), format}));
    }
    drivers::Ids among(const drivers::Ids& ids) {
        return ids_of(run("SELECT id FROM event WHERE id = ANY ($1) ORDER BY id", {array_of(ids), format}));
    }
    drivers::Ids since(const std::string& time) {
        return ids_of(run("SELECT id FROM event WHERE id >= $1::timestamptz ORDER BY id", {time, text}));
    }
    drivers::Ids ordered() { return ids_of(run("SELECT id FROM event ORDER BY id")); }
    std::string sqlstate_of(const std::string& id) {
        const Parameter parameter{id, text};
        return refusal_of(connection(), "SELECT id FROM event WHERE id = $1", parameter);
    }

    drivers::Ids ids_of(const Result& rows) {
        drivers::Ids ids;
        for (int row = 0; row < PQntuples(rows.get()); row++)
            ids.push_back(decoded(
                {PQgetvalue(rows.get(), row, 0), static_cast<std::size_t>(PQgetlength(rows.get(), row, 0))}, format));
        return ids;
    }

    PGconn* connection() { return connection_.get(); }

private:
    Result run(const char* statement) {
        return checked(PQexecParams(connection(), statement, 0, nullptr, nullptr, nullptr, nullptr, format));
    }
    Result run(const char* statement, const Parameter& parameter) {
        return checked(PQexecParams(connection(), statement, 1, nullptr, &parameter.data, &parameter.size,
                                    &parameter.format, format));
    }

    std::string array_of(const drivers::Ids& ids) {
        if (format == text)
            return drivers::array_literal(ids);
        // Dimensions, no nulls, the type of the elements; then, where there are any, their number, from 1; and each.
        const Result oid = checked(PQexec(connection(), "SELECT 'luuid'::regtype::oid"));
        std::string array =
            big_endian(ids.empty() ? 0 : 1) + big_endian(0) + big_endian(std::stoul(PQgetvalue(oid.get(), 0, 0)));
        if (!ids.empty())
            array += big_endian(ids.size()) + big_endian(1);
        for (const std::string& id : ids)
            array += big_endian(luuid::id_size) + encoded(id, format);
        return array;
    }

    std::unique_ptr<PGconn, decltype(&PQfinish)> connection_{PQconnectdb(""), PQfinish};
};

}  // namespace

TEST_CASE("libpq: as text") { drivers::keeps_the_contract<Libpq<text>>(); }

TEST_CASE("libpq: in binary") { drivers::keeps_the_contract<Libpq<binary>>(); }

TEST_CASE("libpq: binary of another length is refused") {
    Libpq<binary> driver;
    CHECK(refusal_of(driver.connection(), "SELECT $1::luuid", {std::string(15, '\0'), binary}) == "08P01");
    CHECK(refusal_of(driver.connection(), "SELECT $1::luuid", {std::string(17, '\0'), binary}) == "22P03");
}

TEST_CASE("libpq: the statement of doc/drivers.md") {
    Libpq<binary> driver;
    driver.insert(drivers::ids());
    const Result rows = checked(events_from(driver.connection(), encoded(drivers::ids()[2], binary).data()));
    const drivers::Ids all = drivers::ids();
    CHECK(driver.ids_of(rows) == drivers::Ids(all.begin() + 2, all.end()));
}

TEST_CASE("libpq: COPY in binary") {
    Libpq<binary> driver;
    std::string data = std::string("PGCOPY\n\377\r\n\0", 11) + big_endian(0) + big_endian(0);
    for (const std::string& id : drivers::ids())
        data += big_endian(1, 2) + big_endian(luuid::id_size) + encoded(id, binary);
    data += big_endian(0xffff, 2);
    checked(PQexec(driver.connection(), "COPY event (id) FROM STDIN (FORMAT binary)"));
    REQUIRE(PQputCopyData(driver.connection(), data.data(), static_cast<int>(data.size())) == 1);
    REQUIRE(PQputCopyEnd(driver.connection(), nullptr) == 1);
    checked(PQgetResult(driver.connection()));
    REQUIRE(PQgetResult(driver.connection()) == nullptr);
    CHECK(driver.ordered() == drivers::ids());
}
