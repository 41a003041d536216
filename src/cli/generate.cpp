// The command `generate`: ids, one a line.
#include "commands.hpp"
#include "stream.hpp"

namespace cli {

ExitCode generate(const GenerateOptions& options, Output& output) {
    using luuid::Layout;

    luuid::Generator generator({
        .mode = options.mode,
        .version = options.version == Layout::v8 ? luuid::LocalityVersion::v8 : luuid::LocalityVersion::vb,
        .node = options.node,
    });
    const auto next = [&]() -> luuid::Id {
        if (options.version == Layout::v1)
            return generator.next_v1();
        if (options.version == Layout::v7)
            return generator.next_v7();
        if (options.at)
            return generator.next_at(*options.at).value();
        if (options.shard)
            return generator.next_in_shard(*options.shard);
        return generator.next();
    };

    for (std::uint64_t made = 0; made < options.count; ++made)
        output.write_line(to_string(next()));
    return success;
}

}  // namespace cli
