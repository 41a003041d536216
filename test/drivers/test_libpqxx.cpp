// libpqxx: ids are text both ways, and bytes where that is asked for.
#include "loop.hpp"
#include "luuid_libpqxx.hpp"

#include <pqxx/pqxx>

int main() {
    pqxx::connection connection;
    pqxx::nontransaction tx{connection};
    const auto stored = [&] {
        const Texts found = ids_of(tx.exec("SELECT id FROM event ORDER BY id"));
        tx.exec("TRUNCATE event");
        return found;
    };

    pqxx::stream_to copy(tx, "event");
    for (const std::string& id : ids)
        copy << std::make_tuple(id, "what");
    copy.complete();
    own("the function of doc/drivers.md", events_since(tx, "2012-01-01"), {ids[1], ids[2]});
    own("COPY", stored(), ids);
    {
        pqxx::pipeline pipeline(tx);
        for (const std::string& id : ids)
            pipeline.insert("INSERT INTO event (id) VALUES ('" + id + "')");
        pipeline.complete();
    }
    own("the statements of a pipeline", stored(), ids);
    Texts sizes;
    for (const std::string& id : ids) {
        const auto row = tx.exec_params1("SELECT $1::luuid::bytea", id);
        const pqxx::binarystring bytes(row[0]);
        sizes.push_back(std::to_string(bytes.size()));
        tx.exec_params("INSERT INTO event (id) VALUES ($1)", bytes);
    }
    own("ids have 16 bytes", sizes, {"16", "16", "16"});
    own("... each way", stored(), ids);

    serve("sql\tlibpqxx\n", [&](const auto&, const std::string& kind, const std::string& statement,
                                const Texts& values) {
        try {
            if (kind == "each") {
                connection.prepare("each", statement);
                for (const std::string& id : values)
                    tx.exec_prepared("each", id);
                connection.unprepare("each");
                return Texts();
            }
            return ids_of(kind == "none"
                              ? tx.exec(statement)
                              : tx.exec_params(statement, kind == "ids" ? "{" + joined(values, ',') + "}" : values[0]));
        } catch (const pqxx::sql_error& error) {
            throw Refused{error.sqlstate()};
        }
    });
}
