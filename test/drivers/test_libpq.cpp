// libpq: ids as text and as their 16 bytes, in statements, prepared statements and COPY.
#include <luuid/standard.hpp>
#include "loop.hpp"
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
    Result owned(result, PQclear);
    if (PQresultStatus(result) == PGRES_FATAL_ERROR)
        throw Refused{PQresultErrorField(result, PG_DIAG_SQLSTATE)};
    return owned;
}

std::string big_endian(std::uint32_t value, int bytes = 4) {
    std::string text;
    for (int shift = 8 * bytes - 8; shift >= 0; shift -= 8)
        text += static_cast<char>(value >> shift);
    return text;
}

// An id as it goes over the wire.
std::string encoded(const std::string& id, Format format) {
    if (format == text)
        return id;
    std::string bytes(luuid::id_size, '\0');
    luuid::store(*luuid::parse(id), reinterpret_cast<unsigned char*>(bytes.data()));
    return bytes;
}

class Libpq {
public:
    explicit Libpq(Format format) : format_(format) {}

    Texts rows(const std::string& kind, const std::string& statement, const Texts& values) {
        if (kind == "each") {
            checked(PQprepare(connection(), "", statement.c_str(), 1, nullptr));
            for (const std::string& id : values) {
                const Parameter parameter{encoded(id, format_), format_};
                checked(
                    PQexecPrepared(connection(), "", 1, &parameter.data, &parameter.size, &parameter.format, format_));
            }
            return {};
        }
        if (kind == "none")
            return texts_of(
                checked(PQexecParams(connection(), statement.c_str(), 0, nullptr, nullptr, nullptr, nullptr, format_)));
        return texts_of(kind == "ids"  ? run(statement, {array_of(values), format_})
                        : kind == "id" ? run(statement, {encoded(values[0], format_), format_})
                                       : run(statement, {values[0], text}));
    }

    Result run(const std::string& statement, const Parameter& parameter) {
        return checked(PQexecParams(connection(), statement.c_str(), 1, nullptr, &parameter.data, &parameter.size,
                                    &parameter.format, format_));
    }

    Texts texts_of(const Result& rows) {
        Texts texts;
        for (int row = 0; row < PQntuples(rows.get()); row++) {
            const char* value = PQgetvalue(rows.get(), row, 0);
            const int size = PQgetlength(rows.get(), row, 0);
            const bool is_id = PQfformat(rows.get(), 0) == binary && size == luuid::id_size;
            texts.push_back(is_id ? to_string(luuid::load(reinterpret_cast<const unsigned char*>(value))) : value);
        }
        return texts;
    }

    PGconn* connection() { return connection_.get(); }

private:
    std::string array_of(const Texts& ids) {
        if (format_ == text)
            return "{" + joined(ids, ',') + "}";
        // Dimensions, no nulls, the type of the elements; then, where there are any, their number, from 1; and each.
        const Result oid = checked(PQexec(connection(), "SELECT 'luuid'::regtype::oid"));
        std::string array =
            big_endian(ids.empty() ? 0 : 1) + big_endian(0) + big_endian(std::stoul(PQgetvalue(oid.get(), 0, 0)));
        if (!ids.empty())
            array += big_endian(ids.size()) + big_endian(1);
        for (const std::string& id : ids)
            array += big_endian(luuid::id_size) + encoded(id, format_);
        return array;
    }

    Format format_;
    std::unique_ptr<PGconn, decltype(&PQfinish)> connection_{PQconnectdb(""), PQfinish};
};

std::string refusal_of(Libpq& driver, int size) {
    try {
        driver.run("SELECT $1::luuid", {std::string(size, '\0'), binary});
        return {};
    } catch (const Refused& refused) {
        return refused.sqlstate;
    }
}

}  // namespace

int main() {
    Libpq as_text(text), as_bytes(binary);
    own("15 and 17 bytes are refused", {refusal_of(as_bytes, 15), refusal_of(as_bytes, 17)}, {"08P01", "22P03"});

    std::string data = std::string("PGCOPY\n\377\r\n\0", 11) + big_endian(0) + big_endian(0);
    for (const std::string& id : ids)
        data += big_endian(1, 2) + big_endian(luuid::id_size) + encoded(id, binary);
    data += big_endian(0xffff, 2);
    PGconn* connection = as_bytes.connection();
    checked(PQexec(connection, "COPY event (id) FROM STDIN (FORMAT binary)"));
    PQputCopyData(connection, data.data(), static_cast<int>(data.size()));
    PQputCopyEnd(connection, nullptr);
    checked(PQgetResult(connection));
    own("the last result of COPY", {PQgetResult(connection) ? "another" : "none"}, {"none"});
    own("COPY in binary", as_bytes.rows("none", "SELECT id FROM event ORDER BY id", {}), ids);
    own("the statement of doc/drivers.md",
        as_bytes.texts_of(checked(events_from(connection, encoded(ids[1], binary).data()))), {ids[1], ids[2]});

    serve("sql\tas text\nsql\tin binary\n", [&](const std::string& driver, const auto&... asked) {
        return (driver == "as text" ? as_text : as_bytes).rows(asked...);
    });
}
