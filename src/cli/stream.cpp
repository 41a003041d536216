// Reads lines with read(2), and writes lines with the C library.
#include "stream.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include <unistd.h>

namespace cli {

namespace {

[[noreturn]] void fail(const char* what) { throw StreamFailure(std::string(what) + ": " + std::strerror(errno)); }

}  // namespace

Output::Output() { std::setvbuf(stdout, nullptr, _IOFBF, std::size_t{1} << 16); }

void Output::write(std::string_view text) {
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size())
        fail("cannot write standard output");
}

void Output::write_line(std::string_view text) {
    write(text);
    write("\n");
}

void Output::flush() {
    if (std::fflush(stdout) != 0)
        fail("cannot write standard output");
}

void Output::close() {
    flush();
    // EBADF: the caller closed standard output, and nothing was written.
    if (::close(STDOUT_FILENO) != 0 && errno != EBADF)
        fail("cannot write standard output");
}

Input::Input(Output& output) : output_(output), buffer_(2 * line_max) {}

std::optional<std::string_view> Input::next() {
    for (std::size_t searched = begin_;;) {
        const char* line = buffer_.data() + begin_;
        if (const void* found = std::memchr(buffer_.data() + searched, '\n', end_ - searched)) {
            const auto size = static_cast<std::size_t>(static_cast<const char*>(found) - line);
            begin_ += size + 1;
            return std::string_view(line, std::min(size, line_max));
        }
        const std::size_t size = end_ - begin_;
        if (at_end_) {
            begin_ = end_;
            return size > 0 ? std::optional(std::string_view(line, std::min(size, line_max))) : std::nullopt;
        }
        // A line that is too long keeps its beginning.
        if (size > line_max)
            end_ = begin_ + line_max;
        searched = end_ - begin_;
        fill();
        searched += begin_;
    }
}

// Moves the unread bytes to the front, and reads behind them.
void Input::fill() {
    output_.flush();
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
    for (;;) {
        const ssize_t size = ::read(STDIN_FILENO, buffer_.data() + end_, buffer_.size() - end_);
        if (size >= 0) {
            end_ += static_cast<std::size_t>(size);
            at_end_ = size == 0;
            return;
        }
        if (errno != EINTR)
            fail("cannot read standard input");
    }
}

std::string quoted(std::string_view text) {
    constexpr std::size_t shown_max = 60;
    std::string shown = "\"";
    for (const char character : text.substr(0, shown_max)) {
        const auto byte = static_cast<unsigned char>(character);
        if (byte == '"' || byte == '\\') {
            shown += {'\\', character};
        } else if (byte >= 0x20 && byte < 0x7f) {
            shown += character;
        } else {
            char escape[5];
            std::snprintf(escape, sizeof escape, "\\x%02x", byte);
            shown += escape;
        }
    }
    return shown + (text.size() > shown_max ? "\"..." : "\"");
}

}  // namespace cli
