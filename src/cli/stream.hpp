// Lines in and lines out, in blocks: what makes a filter fast, and honest about what it could not read or write.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace cli {

// Standard input or output failed: there is no going on.
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
    // Flushes, and finds out what a file system says only at the end.
    void close();

    bool is_terminal() const { return is_terminal_; }

private:
    bool is_terminal_;
};

// Standard input, line by line. Before it waits for more, what was made of the lines so far is written out, so that a
// program at both ends of the pipe gets its answers.
class Input {
public:
    explicit Input(Output& output);
    Input(const Input&) = delete;

    // The next line without its end, valid until the next call; nothing at the end of the input. Of a line that is
    // longer than `line_max` there is only that much.
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

// How far a long run has come, on standard error where that is a terminal that nothing else is written to.
class Progress {
public:
    explicit Progress(const Output& output, std::optional<std::uint64_t> total = {});
    ~Progress() { clear(); }
    Progress(const Progress&) = delete;

    void step() {
        if (++count_ % check_every == 0 && is_wanted_)
            show();
    }
    // Takes the line away, so that something else can be written there.
    void clear();

private:
    void show();

    static constexpr std::uint64_t check_every = 4096;

    std::optional<std::uint64_t> total_;
    std::uint64_t count_ = 0;
    bool is_wanted_;
    bool is_shown_ = false;
    std::int64_t next_milliseconds_;
};

// A text of anyone's as it may be shown on a terminal: in quotes, nothing but printable ASCII, and not long.
std::string quoted(std::string_view text);

}  // namespace cli
