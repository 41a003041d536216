// The commands, with their arguments as the user meant them. Each answers with the exit code of the program.
#pragma once

#include "application.hpp"
#include "rfc3339.hpp"

#include <string>
#include <vector>

namespace cli {

class Output;

enum ExitCode { success = 0, bad_data = 1, bad_usage = 2, bad_stream = 3 };

// Ids, keys or times; where there are none, they are the lines of standard input.
using Values = std::vector<std::string>;

struct Shard {
    std::uint32_t shard = 0;
    std::uint32_t shards = 1;
};

struct GenerateOptions {
    std::uint64_t count = 1;
    luuid::GeneratorSettings settings;  // of any version that can be made: b, 8, 1 or 7
    std::optional<luuid::Time> at;
    std::optional<Shard> shard;
};

ExitCode generate(const GenerateOptions& options, Output& output);
ExitCode inspect(const Values& ids, bool as_json, Output& output);
ExitCode floor(const Values& times, Output& output);
ExitCode ceiling(const Values& times, Output& output);
ExitCode shard(std::uint32_t shards, const Values& ids, Output& output);
ExitCode uniqid(std::uint32_t shards, const Values& keys_or_ids, Output& output);

// Why a time was refused.
std::string explanation(const luuid::ParsedTime& parsed);

}  // namespace cli
