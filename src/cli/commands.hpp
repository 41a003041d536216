// The commands, which get parsed arguments, write to `output`, and return the program's exit code.
#pragma once

#include "rfc3339.hpp"

#include <luuid/luuid.hpp>

#include <string>
#include <vector>

namespace cli {

class Output;

enum ExitCode { success = 0, bad_data = 1, bad_usage = 2, bad_stream = 3 };

// Ids, keys or times. If there are none, and for a `-`, a command reads lines of standard input.
using Values = std::vector<std::string>;

struct GenerateOptions {
    std::uint64_t count = 1;
    luuid::Layout version = luuid::Layout::vb;  // or 8, 1 or 7
    luuid::CounterMode mode = luuid::CounterMode::variable;
    luuid::NodeSetting node;
    std::optional<luuid::Time> at;  // within the range of locality UUIDs
    std::optional<luuid::Shard> shard;
};

enum class RangeFormat { pgdog, spqr, sql };

ExitCode generate(const GenerateOptions& options, Output& output);
ExitCode inspect(const Values& ids, bool as_json, Output& output);
ExitCode floor(const Values& times, Output& output);
ExitCode ceiling(const Values& times, Output& output);
ExitCode shard(luuid::Shards shards, const Values& ids, Output& output);
ExitCode ranges(luuid::Shards shards, RangeFormat format, Output& output);
ExitCode base32(const Values& ids_or_digits, Output& output);
ExitCode uniqid(luuid::UniqidShards shards, const Values& keys_or_ids, Output& output);

// A sentence that says why a time is invalid.
std::string explanation(const ParsedTime& parsed);

}  // namespace cli
