// New ids.
#include "commands.hpp"
#include "stream.hpp"

namespace cli {

ExitCode generate(const GenerateOptions& options, Output& output) {
    using luuid::Id;
    using luuid::Layout;

    luuid::Generator generator(options.settings);
    const auto next = [&]() -> Id {
        if (options.settings.version == Layout::v1)
            return generator.next_v1();
        if (options.settings.version == Layout::v7)
            return generator.next_v7();
        if (options.at)
            return generator.next_at(*options.at).value_or(luuid::nil_id);
        if (options.shard)
            return generator.next_in_shard(options.shard->shard, options.shard->shards);
        return generator.next();
    };

    Progress progress(output, options.count);
    for (std::uint64_t made = 0; made < options.count; ++made) {
        output.write_line(luuid::text_size, [&](char* line) { luuid::format(next(), line); });
        progress.step();
    }
    return success;
}

}  // namespace cli
