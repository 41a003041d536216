// Prints a TAP line for each test case of Catch2, besides its own report, so that test/run reads one format.
#define CATCH_CONFIG_EXTERNAL_INTERFACES
#include "catch.hpp"

#include <cstdio>

namespace {

#if CATCH_VERSION_MAJOR >= 3
using Listener = Catch::EventListenerBase;
const Catch::TestCaseInfo& info_of(const Catch::TestCaseStats& stats) { return *stats.testInfo; }
#else
using Listener = Catch::TestEventListenerBase;
const Catch::TestCaseInfo& info_of(const Catch::TestCaseStats& stats) { return stats.testInfo; }
#endif

class Tap : public Listener {
public:
    using Listener::Listener;

    void testCaseEnded(const Catch::TestCaseStats& stats) override {
        const char* result = stats.totals.assertions.allOk() ? "ok" : "not ok";
        std::printf("%s %d - %s\n", result, ++number_, info_of(stats).name.c_str());
        std::fflush(stdout);
    }
    void testRunEnded(const Catch::TestRunStats&) override { std::printf("1..%d\n", number_); }

private:
    int number_ = 0;
};

CATCH_REGISTER_LISTENER(Tap)

}  // namespace
