// libpqxx: ids are text both ways, and bytes where that is asked for.
#include "contract.hpp"
#include "luuid_libpqxx.hpp"

#include <pqxx/pqxx>

namespace {

class Libpqxx {
public:
    Libpqxx() { tx.exec("TRUNCATE event"); }

    void insert(const drivers::Ids& ids) {
        connection.prepare("insert", "INSERT INTO event (id) VALUES ($1)");
        for (const std::string& id : ids)
            tx.exec_prepared("insert", id);
    }
    std::string generate() { return ids_of(tx.exec("INSERT INTO event DEFAULT VALUES RETURNING id")).at(0); }
    drivers::Ids find(const std::string& id) {
        return ids_of(tx.exec_params("SELECT id FROM event WHERE id = $1", id));
    }
    drivers::Ids among(const drivers::Ids& ids) {
        return ids_of(
            tx.exec_params("SELECT id FROM event WHERE id = ANY ($1) ORDER BY id", drivers::array_literal(ids)));
    }
    drivers::Ids since(const std::string& time) { return events_since(tx, time); }
    drivers::Ids ordered() { return ids_of(tx.exec("SELECT id FROM event ORDER BY id")); }
    std::string sqlstate_of(const std::string& text) {
        try {
            tx.exec_params("SELECT id FROM event WHERE id = $1", text);
        } catch (const pqxx::sql_error& error) {
            return error.sqlstate();
        }
        return {};
    }

    pqxx::connection connection;
    pqxx::nontransaction tx{connection};
};

}  // namespace

TEST_CASE("libpqxx") { drivers::keeps_the_contract<Libpqxx>(); }

TEST_CASE("libpqxx: COPY") {
    Libpqxx driver;
    pqxx::stream_to copy(driver.tx, "event");
    for (const std::string& id : drivers::ids())
        copy << std::make_tuple(id, "what");
    copy.complete();
    CHECK(driver.ordered() == drivers::ids());
}

TEST_CASE("libpqxx: the statements of a pipeline") {
    Libpqxx driver;
    {
        pqxx::pipeline pipeline(driver.tx);
        for (const std::string& id : drivers::ids())
            pipeline.insert("INSERT INTO event (id) VALUES ('" + id + "')");
        pipeline.complete();
    }
    CHECK(driver.ordered() == drivers::ids());
}

TEST_CASE("libpqxx: 16 bytes each way") {
    Libpqxx driver;
    for (const std::string& id : drivers::ids()) {
        const auto row = driver.tx.exec_params1("SELECT $1::luuid::bytea", id);
        const pqxx::binarystring bytes(row[0]);
        CHECK(bytes.size() == 16);
        driver.tx.exec_params("INSERT INTO event (id) VALUES ($1)", bytes);
    }
    CHECK(driver.ordered() == drivers::ids());
}
