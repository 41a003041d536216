// bench/consumer MODE SECONDS: reads the rows of the table event as they are committed, below the horizon: woken by
// luuid_wait ("wait"), by NOTIFY ("listen"), or every 100 ms ("poll"). Then prints what it has read: the row's client
// and number, and the microsecond since 1970 in which it was here.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <thread>

#include <libpq-fe.h>
#include <sys/select.h>

namespace {

using Clock = std::chrono::system_clock;
constexpr std::chrono::milliseconds patience(100);

class Consumer {
public:
    Consumer() : connection_(PQconnectdb("")) {
        if (PQstatus(connection_) != CONNECTION_OK)
            fail();
    }

    // What a statement returns, as text; the first column of its row.
    PGresult* query(const std::string& statement) {
        PGresult* result = PQexec(connection_, statement.c_str());
        if (PQresultStatus(result) != PGRES_TUPLES_OK && PQresultStatus(result) != PGRES_COMMAND_OK)
            fail();
        return result;
    }
    std::string value(const std::string& statement) {
        PGresult* result = query(statement);
        std::string text = PQgetvalue(result, 0, 0);
        PQclear(result);
        return text;
    }

    // The horizon up to which there may be more to read.
    std::string next(std::string_view mode, const std::string& from) {
        if (mode == "wait")
            return value("CALL luuid_wait('" + from + "', '100 ms')");
        if (mode == "listen")
            wait_for_notification();
        else
            std::this_thread::sleep_for(patience);
        return value("SELECT luuid_horizon()");
    }

    void read(const std::string& from, const std::string& upto) {
        PGresult* rows = query("SELECT client, n FROM event WHERE id >= '" + from + "' AND id < '" + upto + "'");
        const auto now = std::chrono::duration_cast<std::chrono::microseconds>(Clock::now().time_since_epoch()).count();
        for (int row = 0; row < PQntuples(rows); ++row)
            read_ += std::string(PQgetvalue(rows, row, 0)) + ' ' + PQgetvalue(rows, row, 1) + ' ' +
                     std::to_string(now) + '\n';
        PQclear(rows);
    }

    void print() const { std::fputs(read_.c_str(), stdout); }

private:
    [[noreturn]] void fail() {
        std::fputs(PQerrorMessage(connection_), stderr);
        std::exit(1);
    }

    void wait_for_notification() {
        bool is_notified = false;
        const auto take = [&] {
            while (PGnotify* notification = PQnotifies(connection_)) {
                is_notified = true;
                PQfreemem(notification);
            }
        };
        take();
        if (is_notified)
            return;
        fd_set sockets;
        FD_ZERO(&sockets);
        FD_SET(PQsocket(connection_), &sockets);
        timeval timeout{0, std::chrono::microseconds(patience).count()};
        select(PQsocket(connection_) + 1, &sockets, nullptr, nullptr, &timeout);
        PQconsumeInput(connection_);
        take();
    }

    PGconn* connection_;
    std::string read_;
};

}  // namespace

int main(int, char** arguments) {
    const std::string_view mode = arguments[1];
    const auto end = Clock::now() + std::chrono::milliseconds(static_cast<long>(1000 * std::atof(arguments[2])));
    Consumer consumer;
    if (mode == "listen")
        PQclear(consumer.query("LISTEN event"));
    std::string from = consumer.value("SELECT luuid_horizon()");
    while (Clock::now() < end) {
        const std::string upto = consumer.next(mode, from);
        // Horizons may move back slightly.
        if (consumer.value("SELECT '" + upto + "'::luuid > '" + from + "'::luuid") != "t")
            continue;
        consumer.read(from, upto);
        from = upto;
    }
    consumer.print();
}
