// Runs a command on each of its values, and reports invalid ones.
#pragma once

#include "commands.hpp"
#include "stream.hpp"

#include <cstdio>

namespace cli {

// Why a value is invalid: `what` is a phrase such as "invalid id", `why` a sentence.
struct Refusal {
    const char* what = nullptr;  // null if the value is valid
    std::string why;

    explicit operator bool() const { return what != nullptr; }
};

// Calls `use` with each value: an argument, or a line of standard input without surrounding blanks, if there are no
// arguments or one is `-`. It reports on standard error what `use` refuses, and continues.
template <class Use>
ExitCode for_each(const Values& values, Output& output, Use use) {
    ExitCode code = success;
    const auto take = [&](const char* place, std::uint64_t number, std::string_view value) {
        const Refusal refusal = use(value);
        if (!refusal)
            return;
        code = bad_data;
        output.flush();
        const std::string complaint = std::string("luuid: ") + place + ' ' + std::to_string(number) + ": " +
                                      refusal.what + ' ' + quoted(value) + ". " + refusal.why + '\n';
        std::fputs(complaint.c_str(), stderr);
    };
    const auto take_lines = [&] {
        Input input(output);
        for (std::uint64_t number = 1; const auto line = input.next(); ++number) {
            constexpr std::string_view blanks = " \t\r";
            const std::size_t begin = std::min(line->find_first_not_of(blanks), line->size());
            const std::size_t end = line->find_last_not_of(blanks) + 1;  // none found: npos + 1, which is 0
            take("line", number, line->substr(begin, std::max(begin, end) - begin));
        }
    };
    if (values.empty())
        take_lines();
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (values[i] == "-")
            take_lines();
        else
            take("argument", i + 1, values[i]);
    }
    return code;
}

inline std::string explanation(luuid::ParseError error) {
    if (error.at == error.nowhere)
        return error.what;
    return std::string("Expected ") + error.what + " at character " + std::to_string(error.at + 1) + '.';
}

inline Refusal refuse_id(luuid::ParseError error) { return {"invalid id", explanation(error)}; }

// for_each() for values that have to be ids: calls `use` with each id, and reports values that are none.
template <class Use>
ExitCode for_each_id(const Values& values, Output& output, Use use) {
    return for_each(values, output, [&](std::string_view value) -> Refusal {
        luuid::ParseError error;
        const auto id = luuid::parse(value, error);
        if (!id)
            return refuse_id(error);
        use(*id);
        return {};
    });
}

}  // namespace cli
