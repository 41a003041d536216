// Standard input and output by lines, read and written in blocks. A failure to read or write throws StreamFailure.
#pragma once

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace cli {

// Standard input or output failed, which ends the program with exit code 3.
struct StreamFailure : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// Standard output.
class Output {
public:
    Output();
    Output(const Output&) = delete;

    void write(std::string_view text);
    void write_line(std::string_view text);
    void flush();
    // Flushes, and reports errors that a file system returns only on close.
    void close();
};

// Standard input, line by line. It flushes the output before it waits for more, so that a program at both ends of the
// pipe gets its results.
class Input {
public:
    explicit Input(Output& output);
    Input(const Input&) = delete;

    // The next line without its end, valid until the next call; nothing at the end of the input. A line longer than
    // `line_max` is truncated.
    std::optional<std::string_view> next();

    static constexpr std::size_t line_max = std::size_t{1} << 16;

private:
    void fill();

    Output& output_;
    std::vector<char> buffer_;
    std::size_t begin_ = 0;
    std::size_t end_ = 0;
    bool at_end_ = false;
};

// An untrusted text as a terminal may have it: in quotes, printable ASCII, and short.
std::string quoted(std::string_view text);

}  // namespace cli
