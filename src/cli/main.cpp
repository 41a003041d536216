// Parses the command line by CLI11, and runs the command.
#include "commands.hpp"
#include "help.hpp"
#include "stream.hpp"

#include <CLI/CLI.hpp>

#include <charconv>
#include <functional>
#include <memory>

namespace {

using namespace cli;
using luuid::Layout;

// Runs once all arguments are parsed.
using Action = std::function<ExitCode(Output&)>;

// Instead of CLI11's own parser, which reads -1 as the greatest unsigned number.
std::uint64_t parse_count(const std::string& text) {
    std::uint64_t count = 0;
    const char* const end = text.data() + text.size();
    const auto parsed = std::from_chars(text.data(), end, count);
    if (parsed.ec != std::errc() || parsed.ptr != end)
        throw CLI::ValidationError("--count", "Expected a number, and not " + cli::quoted(text) + ".");
    return count;
}

luuid::Shard parse_shard(const std::string& text) {
    std::int64_t number = 0;
    std::int64_t count = 0;
    const char* const end = text.data() + text.size();
    const auto before = std::from_chars(text.data(), end, number);
    if (before.ec == std::errc() && before.ptr != end && *before.ptr == '/') {
        const auto after = std::from_chars(before.ptr + 1, end, count);
        if (const auto shards = luuid::Shards::of(count); shards && after.ec == std::errc() && after.ptr == end)
            if (const auto shard = luuid::Shard::of(number, *shards))
                return *shard;
    }
    throw CLI::ValidationError(
        "--shard",
        "Valid values are 0/N for the first of N shards to N-1/N for the last, and not " + cli::quoted(text) + ".");
}

luuid::Time parse_at(const std::string& text) {
    const ParsedTime parsed = parse_time(text);
    if (parsed.fault != TimeFault::none)
        throw CLI::ValidationError("--at", "Invalid time " + cli::quoted(text) + ". " + explanation(parsed));
    if (!luuid::millisecond_of(parsed.time))
        throw CLI::ValidationError("--at", "Valid values are 1970-01-01T00:00:00Z to +010889-08-02T05:31:50.655999Z.");
    return parsed.time;
}

luuid::NodeSetting parse_node_setting(const std::string& text) {
    if (const auto setting = luuid::parse_node(text))
        return *setting;
    throw CLI::ValidationError("--node", "Valid values are auto, mac, random and seven hexadecimal digits, and not " +
                                             cli::quoted(text) + ".");
}

void add_generate(CLI::App& app, Action& action) {
    CLI::App* command = app.add_subcommand("generate", "Generate ids")->footer(help::generate);
    const auto options = std::make_shared<GenerateOptions>();

    // `read` parses the option's text, and throws if it is invalid.
    const auto option = [command](const char* name, const char* type, const char* standard, const char* help,
                                  std::function<void(const std::string&)> read) {
        return command->add_option_function(name, read, help)->type_name(type)->default_str(standard);
    };
    option("-n,--count", "COUNT", "1", "How many",
           [=](const std::string& text) { options->count = parse_count(text); });
    CLI::Option* version =
        option("--version", "VERSION", "b", "b, or 8, 1 or 7 of RFC 9562", [=](const std::string& word) {
            options->version = word == "b" ? Layout::vb : static_cast<Layout>(word.front() - '0');
        })->check(CLI::IsMember({"b", "8", "1", "7"}).description(""));
    CLI::Option* mode = option("--mode", "MODE", "variable", "variable or sequential", [=](const std::string& word) {
                            options->mode =
                                word == "variable" ? luuid::CounterMode::variable : luuid::CounterMode::sequential;
                        })->check(CLI::IsMember({"variable", "sequential"}).description(""));
    CLI::Option* node = option("--node", "NODE", "auto", "The machine's bits in the ids",
                               [=](const std::string& text) { options->node = parse_node_setting(text); });
    CLI::Option* at = option("--at", "TIME", "", "The time of the ids",
                             [=](const std::string& text) { options->at = parse_at(text); });
    CLI::Option* shard = option("--shard", "I/N", "", "The shard of the ids",
                                [=](const std::string& text) { options->shard = parse_shard(text); })
                             ->excludes(at)
                             ->excludes(mode);

    command->callback([=, &action] {
        for (const CLI::Option* other : {mode, node, at, shard})
            if (!luuid::is_locality(options->version) && *other)
                throw CLI::ExcludesError(other->get_name(), version->get_name() + ' ' + version->as<std::string>());
        action = [options](Output& output) { return generate(*options, output); };
    });
}

void add_inspect(CLI::App& app, Action& action) {
    CLI::App* command = app.add_subcommand("inspect", "Show every field of ids")->footer(help::inspect);
    const auto ids = std::make_shared<Values>();
    const auto as_json = std::make_shared<bool>(false);
    command->add_flag("--json", *as_json, "One JSON object a line");
    command->add_option("ID", *ids, "Ids of any version")->type_name("");
    command->callback(
        [=, &action] { action = [ids, as_json](Output& output) { return inspect(*ids, *as_json, output); }; });
}

void add_boundary(CLI::App& app, Action& action, const char* name, const char* description,
                  ExitCode (*boundary)(const Values&, Output&)) {
    CLI::App* command = app.add_subcommand(name, description)->footer(help::boundary);
    const auto times = std::make_shared<Values>();
    command->add_option("TIME", *times, "Times such as 2026-11-21T11:05:09Z")->type_name("");
    command->callback(
        [=, &action] { action = [times, boundary](Output& output) { return boundary(*times, output); }; });
}

void add_shard(CLI::App& app, Action& action) {
    CLI::App* command =
        app.add_subcommand("shard", "Tell which of N shards ids lie on, or their ranges")->footer(help::shard);
    const auto ids = std::make_shared<Values>();
    const auto count = CLI::Range(luuid::Shards::min, luuid::Shards::max).description("");
    CLI::Option* shards = command->add_option("N", "How many shards there are")->check(count);
    command->add_option("ID", *ids, "Ids of any version")->type_name("");
    CLI::Option* ranges =
        command->add_option("--ranges", "Write the ranges of N shards")->type_name("N")->check(count)->excludes(shards);
    CLI::Option* format = command->add_option("--format", "As what: pgdog, spqr or sql")
                              ->type_name("FORMAT")
                              ->check(CLI::IsMember({"pgdog", "spqr", "sql"}).description(""))
                              ->needs(ranges);
    ranges->needs(format);
    command->callback([=, &action] {
        if (*ranges) {
            const std::string word = format->as<std::string>();
            const RangeFormat as = word == "pgdog"  ? RangeFormat::pgdog
                                   : word == "spqr" ? RangeFormat::spqr
                                                    : RangeFormat::sql;
            action = [as, number = luuid::Shards::of(ranges->as<std::uint32_t>())](Output& output) {
                return cli::ranges(number.value(), as, output);
            };
            return;
        }
        if (!*shards)
            throw CLI::RequiredError(shards->get_name());
        action = [ids, number = luuid::Shards::of(shards->as<std::uint32_t>())](Output& output) {
            return shard(number.value(), *ids, output);
        };
    });
}

void add_base32(CLI::App& app, Action& action) {
    CLI::App* command =
        app.add_subcommand("base32", "Turn ids into the 26 characters that URLs have, and back")->footer(help::base32);
    const auto values = std::make_shared<Values>();
    command->add_option("VALUE", *values, "Ids, and their digits in base 32")->type_name("");
    command->callback([=, &action] { action = [values](Output& output) { return base32(*values, output); }; });
}

void add_uniqid(CLI::App& app, Action& action) {
    CLI::App* command =
        app.add_subcommand("uniqid", "Turn the short keys of PHP into ids, and ids into keys")->footer(help::uniqid);
    const auto values = std::make_shared<Values>();
    const auto shards = std::make_shared<std::uint32_t>(10);
    command->add_option("--shards", *shards, "How many shards a key is for")
        ->type_name("N")
        ->default_str("10")
        ->check(CLI::Range(luuid::UniqidShards::min, luuid::UniqidShards::max).description(""));
    command->add_option("VALUE", *values, "Short keys and ids")->type_name("");
    command->callback([=, &action] {
        action = [values, count = luuid::UniqidShards::of(*shards)](Output& output) {
            return uniqid(count.value(), *values, output);
        };
    });
}

// Keeps the line breaks of our help, which CLI11 from 2.5 on would fill as paragraphs.
template <class Formatter>
void keep_lines(Formatter& formatter) {
    if constexpr (requires { formatter.enable_footer_formatting(false); }) {
        formatter.enable_footer_formatting(false);
        formatter.enable_description_formatting(false);
    }
}

ExitCode run(int argc, char** argv, Output& output) {
    CLI::App app("luuid generates, reads and converts locality UUIDs, as the PostgreSQL extension luuid does.",
                 "luuid");
    keep_lines(*app.get_formatter());  // commands inherit it
    app.footer(help::program);
    app.set_version_flag("--version", "luuid " LUUID_VERSION);
    app.require_subcommand(0, 1);

    Action action;
    add_generate(app, action);
    add_inspect(app, action);
    add_boundary(app, action, "floor", "Print the least id that is not before a time", cli::floor);
    add_boundary(app, action, "ceiling", "Print the greatest id that is not after a time", cli::ceiling);
    add_shard(app, action);
    add_base32(app, action);
    add_uniqid(app, action);

    const auto command = [&app] { return app.get_subcommands().empty() ? &app : app.get_subcommands().front(); };
    try {
        app.parse(argc, argv);
        if (!action)
            throw CLI::RequiredError("A command");
    } catch (const CLI::CallForHelp&) {
        output.write(command()->help(command() == &app ? "" : "luuid"));
        return success;
    } catch (const CLI::CallForVersion& version) {
        output.write(version.what() + std::string("\n"));
        return success;
    } catch (const CLI::ParseError& error) {
        const std::string name = command() == &app ? "" : command()->get_name() + ' ';
        std::fprintf(stderr, "luuid: %s\nTry: luuid %s--help\n", error.what(), name.c_str());
        return bad_usage;
    }
    return action(output);
}

}  // namespace

int main(int argc, char** argv) {
    try {
        Output output;
        const ExitCode code = run(argc, argv, output);
        output.close();
        return code;
    } catch (const std::exception& failure) {
        std::fprintf(stderr, "luuid: %s\n", failure.what());
        return bad_stream;
    }
}
