// Calls every function, operator, cast, aggregate and input function of the extension, as listed in the catalog, with
// edge-case arguments, as text and in binary. Checks that the server survives, reports errors of the right SQLSTATE
// class, and accepts and rejects what limits.hpp predicts. `sqlfuzz SECONDS [SEED]` uses the server of PGHOST and
// PGPORT; prints TAP.
#include "limits.hpp"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <set>

#include <libpq-fe.h>

namespace {

using namespace fuzz;
using Clock = std::chrono::steady_clock;

std::string hexadecimal(const std::string& bytes) {
    std::string text;
    for (const char c : bytes.substr(0, 80)) {
        text += "0123456789abcdef"[static_cast<unsigned char>(c) >> 4];
        text += "0123456789abcdef"[static_cast<unsigned char>(c) & 0xf];
    }
    return text;
}

// SQLSTATEs with which this extension, or the server's input for its type, may reject a value: an inverted range,
// numbers and times out of range or malformed, an encoding, an argument, invalid text, invalid binary, a short message,
// an array that is too large, since from PostgreSQL 17 on the extension owns its array type too, and a version that is
// not loaded. All others are failures: XX is an internal error, 22P01 a trapped division by zero, 42 and 26 are errors
// of this program, 57 and 08006 mean that the server goes down, but for the 57014 of what waits too long, whose timeout
// may come before any other error. SQL cannot call a function with an argument of type internal, which fails with 0A000
// for any value.
bool is_right_refusal(const std::string& state, bool is_internal) {
    static const std::set<std::string> right = {"22000", "22003", "22007", "22008", "22009", "22013", "22015",
                                                "22021", "22023", "22P02", "22P03", "08P01", "54000", "55000"};
    return is_internal ? state == "0A000" : right.contains(state);
}

// A statement whose parameters have these types, and its results.
struct Subject {
    std::string name;
    std::string statement;
    std::vector<std::string> types;
    std::vector<Oid> oids;
    std::uint64_t calls = 0;
    std::uint64_t refused = 0;
    std::uint64_t foretold = 0;
    // Of those, what only the function itself could judge.
    std::uint64_t within_limits = 0;
    std::uint64_t beyond_limits = 0;
    std::string breach;
};

// The procedure luuid_wait, which is called for NULL too, and waits for what is not foretold.
bool is_procedure(const Subject& subject) { return subject.name.starts_with("procedure "); }

bool takes_internal(const Subject& subject) {
    return std::find(subject.types.begin(), subject.types.end(), "internal") != subject.types.end();
}

class Fuzz {
public:
    explicit Fuzz(std::uint64_t seed) : random_(seed) { connect(); }

    PGresult* query(const std::string& statement) {
        PGresult* result = PQexec(connection_, statement.c_str());
        const ExecStatusType status = PQresultStatus(result);
        if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK) {
            std::printf("Bail out! %s: %s\n", statement.c_str(), PQerrorMessage(connection_));
            std::exit(1);
        }
        return result;
    }

    std::vector<Subject> subjects() {
        PQclear(query("DROP DATABASE IF EXISTS sqlfuzz"));
        PQclear(query("CREATE DATABASE sqlfuzz TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C'"));
        PQfinish(connection_);
        database_ = "sqlfuzz";
        connect();
        PQclear(query("CREATE EXTENSION luuid; CREATE TABLE ids (id luuid); CREATE TABLE uuids (id uuid)"));

        // name, template with $n for each argument, its types. Members of the extension, whatever they are, but the
        // trigger function, which only triggers call. What takes "any" takes each type of time.
        PGresult* rows = query(R"(
            WITH member AS (
                SELECT classid, objid FROM pg_depend
                WHERE refclassid = 'pg_extension'::regclass AND deptype = 'e'
                  AND refobjid = (SELECT oid FROM pg_extension WHERE extname = 'luuid')
            ), called AS (
                SELECT format('%s %s', CASE prokind WHEN 'a' THEN 'aggregate' WHEN 'p' THEN 'procedure' ELSE 'function' END,
                    p.oid::regprocedure) AS name,
                       CASE prokind WHEN 'a' THEN format('SELECT %s(x) FROM unnest(ARRAY[$1, $1]) AS x', p.oid::regproc)
                       ELSE format('%s %s(%s)', CASE prokind WHEN 'p' THEN 'CALL' ELSE 'SELECT' END, p.oid::regproc,
                            (SELECT string_agg('$' || n, ', ' ORDER BY n) FROM generate_series(1, pronargs) AS n)) END AS statement,
                       array_replace(proargtypes::oid[], '"any"'::regtype, given::oid) AS types
                FROM member JOIN pg_proc p ON classid = 'pg_proc'::regclass AND objid = p.oid AND prorettype <> 'trigger'::regtype
                JOIN unnest('{date,timestamp,timestamptz}'::regtype[]) AS given
                    ON given = 'date'::regtype OR '"any"'::regtype = ANY (proargtypes)
                UNION ALL
                SELECT format('operator %s', o.oid::regoperator),
                       format('SELECT $1 OPERATOR(%s.%s) $2', oprnamespace::regnamespace, oprname), ARRAY[oprleft, oprright]
                FROM member JOIN pg_operator o ON classid = 'pg_operator'::regclass AND objid = o.oid
                UNION ALL
                SELECT format('cast %s to %s', format_type(castsource, NULL), format_type(casttarget, NULL)),
                       format('SELECT CAST($1 AS %s)', format_type(casttarget, NULL)), ARRAY[castsource]
                FROM member JOIN pg_cast c ON classid = 'pg_cast'::regclass AND objid = c.oid
                UNION ALL
                SELECT format('type %s', format_type(t.oid, NULL)), 'SELECT $1', ARRAY[t.oid]
                FROM member JOIN pg_type t ON classid = 'pg_type'::regclass AND objid = t.oid AND typtype <> 'c'
                UNION ALL
                SELECT 'setting ' || s.name, format('SELECT set_config(%L, $1, false)', s.name), ARRAY['text'::regtype::oid]
                FROM pg_settings s WHERE s.name LIKE 'luuid.%'
            )
            SELECT name, statement, coalesce(array_to_string(types, ' '), ''),
                   coalesce((SELECT string_agg(format_type(t, NULL), ',' ORDER BY n) FROM unnest(types) WITH ORDINALITY AS u (t, n)), '')
            FROM called ORDER BY name)");
        std::vector<Subject> all;
        for (int row = 0; row < PQntuples(rows); ++row) {
            Subject subject;
            subject.name = PQgetvalue(rows, row, 0);
            subject.statement = PQgetvalue(rows, row, 1);
            for (const std::string& oid : split(PQgetvalue(rows, row, 2), ' '))
                subject.oids.push_back(static_cast<Oid>(std::stoul(oid)));
            subject.types = split(PQgetvalue(rows, row, 3), ',');
            all.push_back(subject);
        }
        PQclear(rows);
        return all;
    }

    void call(Subject& subject) {
        Arguments arguments;
        for (const std::string& type : subject.types)
            arguments.push_back(some_argument(type, arguments.empty() ? nullptr : &arguments.back(), random_));
        std::vector<const char*> values;
        std::vector<int> lengths, formats;
        for (const Argument& argument : arguments) {
            values.push_back(argument.is_null ? nullptr : argument.bytes.c_str());
            lengths.push_back(static_cast<int>(argument.bytes.size()));
            formats.push_back(argument.is_binary);
        }
        const bool wrong =
            std::any_of(arguments.begin(), arguments.end(), [](const Argument& argument) { return argument.is_wrong; });
        const Outcome expected = foretell(subject, arguments);
        ++subject.calls;
        subject.foretold += expected.has_value();
        if (is_procedure(subject))
            PQclear(query("SET statement_timeout = '5ms'"));
        PGresult* result =
            PQexecParams(connection_, subject.statement.c_str(), static_cast<int>(arguments.size()),
                         subject.oids.data(), values.data(), lengths.data(), formats.data(), random_.below(2) == 0);
        judge(subject, result, wrong, expected, [&] {
            std::string shown;
            for (const Argument& argument : arguments)
                shown += (argument.is_null     ? std::string(" null")
                          : argument.is_binary ? " binary:"
                                               : " text:") +
                         hexadecimal(argument.bytes);
            return shown;
        });
        // On a slow machine the timeout cancels this statement too.
        for (bool is_reset = !is_procedure(subject); !is_reset;) {
            PGresult* reset = PQexec(connection_, "RESET statement_timeout");
            is_reset = PQresultStatus(reset) == PGRES_COMMAND_OK;
            PQclear(reset);
        }
    }

    // The same rows copied into columns of luuid and of uuid must give the same result.
    void copy(Subject& subject) {
        const bool binary = random_.below(3) > 0;
        std::string data = binary ? std::string("PGCOPY\n\377\r\n\0\0\0\0\0\0\0\0\0", 19) : "";
        for (std::uint64_t rows = 1 + random_.below(4); rows > 0; --rows) {
            if (!binary) {
                std::string text = samples::some_form(some_id(random_), random_);
                if (random_.below(3) == 0)
                    samples::mutate(text, random_);
                data += text + "\n";
                continue;
            }
            const std::string field =
                random_.below(4) == 0 ? noise(random_, random_.below(40)) : bytes_of(some_id(random_));
            const std::uint64_t length = random_.below(10) == 0 ? some_integer(random_) : field.size();
            data += big_endian(1, 2) + big_endian(length, 4) + field;
        }
        if (binary)
            data += random_.below(10) == 0 ? noise(random_, random_.below(5)) : big_endian(0xffff, 2);

        std::string outcomes[2];
        for (int i = 0; i < 2; ++i) {
            const char* const tables[] = {"ids", "uuids"};
            PQclear(query(std::string("TRUNCATE ") + tables[i]));
            PQclear(PQexec(connection_,
                           (std::string("COPY ") + tables[i] + " FROM STDIN" + (binary ? " BINARY" : "")).c_str()));
            PQputCopyData(connection_, data.data(), static_cast<int>(data.size()));
            PQputCopyEnd(connection_, nullptr);
            PGresult* result = PQgetResult(connection_);
            const char* state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
            outcomes[i] = state != nullptr ? state : "accepted";
            ++subject.calls;
            if (state != nullptr)
                ++subject.refused;
            if (PQstatus(connection_) != CONNECTION_OK || (state != nullptr && std::string(state).starts_with("XX")))
                breach(subject, std::string(PQerrorMessage(connection_)) + " by " + hexadecimal(data));
            PQclear(result);
            while ((result = PQgetResult(connection_)) != nullptr)
                PQclear(result);
            if (PQstatus(connection_) != CONNECTION_OK) {
                reconnect();
                return;
            }
        }
        PGresult* same = query("SELECT count(*) FROM (SELECT id::uuid FROM ids EXCEPT ALL TABLE uuids) AS one");
        if (outcomes[0] != outcomes[1] || std::string(PQgetvalue(same, 0, 0)) != "0")
            breach(subject, "luuid " + outcomes[0] + ", uuid " + outcomes[1] + " by " + hexadecimal(data));
        PQclear(same);
    }

    // Untyped literals: those that resolve are called, the others must fail with class 42.
    void spell(Subject& subject, const std::vector<Subject>& all) {
        const Subject& other = all[random_.below(all.size())];
        if (!other.name.starts_with("function "))
            return;
        const std::string name = other.statement.substr(7, other.statement.find('(') - 7);
        std::string statement = "SELECT " + name + "(";
        const std::uint64_t arguments = random_.below(4);
        for (std::uint64_t i = 0; i < arguments; ++i) {
            constexpr const char* types[] = {"",           "::luuid",  "::uuid",        "::text",
                                             "::int",      "::bytea",  "::timestamptz", "::tstzrange",
                                             "::interval", "::bigint", "::luuid[]",     "::record"};
            const std::string text = some_text(random_).substr(0, 100);
            char* literal = PQescapeLiteral(connection_, text.c_str(), text.size());
            statement += std::string(i > 0 ? ", " : "") + (literal != nullptr ? literal : "''") +
                         types[random_.below(std::size(types))];
            PQfreemem(literal);
        }
        statement += ")";
        ++subject.calls;
        PGresult* result = PQexec(connection_, statement.c_str());
        const char* state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
        // 0A000: a value of a pseudo-type cannot be written.
        if (state != nullptr && (std::string(state).starts_with("42") || std::string(state) == "0A000")) {
            ++subject.refused;
            PQclear(result);
            return;
        }
        judge(subject, result, false, std::nullopt, [&] { return " " + hexadecimal(statement); });
    }

    std::map<std::string, std::uint64_t> states;

private:
    // The server reads the arguments one after the other; then a function that is not called for null gives null.
    static Outcome foretell(Subject& subject, const Arguments& arguments) {
        // Rejected before any argument is read.
        if (takes_internal(subject))
            return std::nullopt;
        bool has_null = false;
        for (const Argument& argument : arguments) {
            has_null = has_null || argument.is_null;
            if (!argument.is_null && argument.outcome != accepted)
                return argument.outcome;
        }
        if (is_procedure(subject))
            return std::nullopt;
        const auto limit = limits.find(subject.name);
        if (has_null || limit == limits.end())
            return accepted;
        const Outcome outcome = limit->second(arguments);
        ++(outcome.value_or(accepted) == accepted ? subject.within_limits : subject.beyond_limits);
        return outcome;
    }

    template <class Describe>
    void judge(Subject& subject, PGresult* result, bool wrong, const Outcome& expected, Describe describe) {
        const char* field = PQresultErrorField(result, PG_DIAG_SQLSTATE);
        const std::string state = field != nullptr ? field : "";
        if (PQstatus(connection_) != CONNECTION_OK) {
            breach(subject, "the server went away:" + describe());
            PQclear(result);
            reconnect();
            return;
        }
        if (PQresultStatus(result) == PGRES_TUPLES_OK) {
            if (wrong || (expected && expected != accepted))
                breach(subject, "accepted:" + describe());
        } else {
            ++subject.refused;
            ++states[state];
            const bool is_timeout = is_procedure(subject) && state == "57014";
            if (!is_timeout && (!is_right_refusal(state, takes_internal(subject)) || (expected && state != expected)))
                breach(subject, state + " " + PQresultErrorMessage(result) + describe());
        }
        PQclear(result);
    }

    static void breach(Subject& subject, const std::string& text) {
        if (subject.breach.empty())
            subject.breach = text;
    }

    static std::vector<std::string> split(const std::string& text, char separator) {
        std::vector<std::string> parts;
        for (std::size_t at = 0; at < text.size();) {
            const std::size_t end = std::min(text.find(separator, at), text.size());
            parts.push_back(text.substr(at, end - at));
            at = end + 1;
        }
        return parts;
    }

    void connect() {
        const std::string options =
            "client_encoding=UTF8 options='-c client_min_messages=error -c log_min_messages=fatal'" +
            (database_.empty() ? "" : " dbname=" + database_);
        connection_ = PQconnectdb(options.c_str());
        if (PQstatus(connection_) != CONNECTION_OK) {
            std::printf("Bail out! %s", PQerrorMessage(connection_));
            std::exit(1);
        }
        PQsetNoticeProcessor(
            connection_, [](void*, const char*) {}, nullptr);
    }

    // After a crash, the server needs a while to restart.
    void reconnect() {
        const auto end = Clock::now() + std::chrono::seconds(60);
        do {
            PQreset(connection_);
        } while (PQstatus(connection_) != CONNECTION_OK && Clock::now() < end);
        if (PQstatus(connection_) != CONNECTION_OK) {
            std::printf("Bail out! the server does not come back\n");
            std::exit(1);
        }
    }

    Random random_;
    std::string database_;
    PGconn* connection_ = nullptr;
};

}  // namespace

int main(int, char** arguments) {
    const auto end = Clock::now() + std::chrono::seconds(std::atoi(arguments[1]));
    const std::uint64_t seed = arguments[2] != nullptr ? std::stoull(arguments[2]) : std::random_device{}();
    std::printf("# seed %llu\n", static_cast<unsigned long long>(seed));
    Fuzz fuzz(seed);
    std::vector<Subject> subjects = fuzz.subjects();
    Subject copies, spellings;
    copies.name = "COPY, beside uuid";
    spellings.name = "literals of any type";
    // Enough rounds to reach each limit from both sides.
    for (int round = 0; round < 20 || Clock::now() < end; ++round) {
        for (Subject& subject : subjects)
            for (int i = 0; i < 20; ++i)
                fuzz.call(subject);
        for (int i = 0; i < 50; ++i) {
            fuzz.copy(copies);
            fuzz.spell(spellings, subjects);
        }
    }

    for (const auto& limit : limits) {
        const auto subject = std::find_if(subjects.begin(), subjects.end(),
                                          [&](const Subject& candidate) { return candidate.name == limit.first; });
        if (subject == subjects.end()) {
            std::printf("Bail out! %s is not there, and has limits\n", limit.first.c_str());
            return 1;
        }
        if (subject->breach.empty() && (subject->within_limits == 0 || subject->beyond_limits == 0))
            subject->breach = "its limits were tried from one side only";
    }
    subjects.push_back(copies);
    subjects.push_back(spellings);
    std::uint64_t calls = 0, refused = 0, foretold = 0, beyond_limits = 0;
    int number = 0, failed = 0;
    for (const Subject& subject : subjects) {
        const bool good = subject.breach.empty();
        failed += !good;
        std::printf("%s %d - %s: %llu calls, %llu refused\n", good ? "ok" : "not ok", ++number, subject.name.c_str(),
                    static_cast<unsigned long long>(subject.calls), static_cast<unsigned long long>(subject.refused));
        if (!good)
            std::printf("#   %s\n", subject.breach.c_str());
        calls += subject.calls;
        refused += subject.refused;
        foretold += subject.foretold;
        beyond_limits += subject.beyond_limits;
    }
    std::printf("1..%d\n# outcome of %llu calls foretold, of %llu a refusal by the function itself\n", number,
                static_cast<unsigned long long>(foretold), static_cast<unsigned long long>(beyond_limits));
    std::printf("# %llu calls, %llu refused:", static_cast<unsigned long long>(calls),
                static_cast<unsigned long long>(refused));
    for (const auto& [state, count] : fuzz.states)
        std::printf(" %s %llu", state.c_str(), static_cast<unsigned long long>(count));
    std::printf("\n");
    return failed == 0 ? 0 : 1;
}
