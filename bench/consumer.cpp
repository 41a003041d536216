// bench/consumer MODE: reads the rows of the table event as they are committed, below the horizon: woken by luuid_wait
// ("wait"), by NOTIFY ("listen"), or every 100 ms ("poll"). On SIGTERM prints what it has read: each row's
// client, number, and microsecond of arrival since 1970. In MODE "idle" it only waits by luuid_wait.
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <iterator>
#include <string>
#include <string_view>
#include <thread>

#include <libpq-fe.h>
#include <sys/select.h>

namespace {

using Clock = std::chrono::system_clock;
constexpr std::chrono::milliseconds patience(100);

volatile std::sig_atomic_t is_over = 0;

class Consumer {
public:
    explicit Consumer(std::string_view mode) : mode_(mode), connection_(PQconnectdb("")) {
        if (PQstatus(connection_) != CONNECTION_OK)
            fail();
        prepare("wait", "CALL luuid_wait($1, '100 ms')");
        // Horizons may move back slightly.
        prepare("horizon", "SELECT greatest($1, luuid_horizon())");
        prepare("read", "SELECT client, n FROM event WHERE id >= $1::luuid AND id < $2::luuid");
        if (mode_ == "listen")
            PQclear(checked(PQexec(connection_, "LISTEN event")));
    }

    // The horizon up to which there may be more to read: the same where there is none.
    std::string next(const std::string& from) {
        if (mode_ == "listen")
            wait_for_notification();
        else if (mode_ == "poll")
            std::this_thread::sleep_for(patience);
        PGresult* result = execute(mode_ == "wait" || mode_ == "idle" ? "wait" : "horizon", {from.c_str()});
        std::string horizon = PQgetvalue(result, 0, 0);
        PQclear(result);
        return horizon;
    }

    void read(const std::string& from, const std::string& upto) {
        if (mode_ == "idle")
            return;
        PGresult* rows = execute("read", {from.c_str(), upto.c_str()});
        const auto now = std::chrono::duration_cast<std::chrono::microseconds>(Clock::now().time_since_epoch()).count();
        for (int row = 0; row < PQntuples(rows); ++row)
            read_ += std::string(PQgetvalue(rows, row, 0)) + ' ' + PQgetvalue(rows, row, 1) + ' ' +
                     std::to_string(now) + '\n';
        PQclear(rows);
    }

    void print() const { std::fputs(read_.c_str(), stdout); }

private:
    PGresult* checked(PGresult* result) {
        if (PQresultStatus(result) != PGRES_TUPLES_OK && PQresultStatus(result) != PGRES_COMMAND_OK)
            fail();
        return result;
    }

    void prepare(const char* name, const char* statement) {
        PQclear(checked(PQprepare(connection_, name, statement, 0, nullptr)));
    }

    PGresult* execute(const char* name, std::initializer_list<const char*> arguments) {
        return checked(PQexecPrepared(connection_, name, static_cast<int>(arguments.size()), std::data(arguments),
                                      nullptr, nullptr, 0));
    }

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

    std::string_view mode_;
    PGconn* connection_;
    std::string read_;
};

}  // namespace

int main(int, char** arguments) {
    std::signal(SIGTERM, [](int) { is_over = 1; });
    Consumer consumer{arguments[1]};
    std::string from = "00000000-0000-0000-0000-000000000000";
    while (!is_over) {
        const std::string upto = consumer.next(from);
        if (upto == from)
            continue;
        consumer.read(from, upto);
        from = upto;
    }
    consumer.print();
}
