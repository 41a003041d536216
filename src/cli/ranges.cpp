// The ranges of all shards, as the configuration of a router or the partitions of a table.
#include "commands.hpp"
#include "stream.hpp"

namespace cli {

ExitCode ranges(luuid::Shards shards, RangeFormat format, Output& output) {
    const std::int64_t count = shards.value();
    for (std::int64_t i = 0; i < count; ++i) {
        // From the last shard to the first, since SPQR refuses a key range below an existing one.
        const std::int64_t number = format == RangeFormat::spqr ? count - 1 - i : i;
        const auto floor = [&](std::int64_t shard) { return to_string(shard_floor(*luuid::Shard::of(shard, shards))); };
        const std::string shard = std::to_string(number);
        const bool is_first = number == 0;
        const bool is_last = number == count - 1;
        switch (format) {
            case RangeFormat::pgdog:
                output.write("[[sharded_tables.mapping]]\nshard = " + shard + '\n');
                if (!is_first)
                    output.write("start = \"" + floor(number) + "\"\n");
                if (!is_last)
                    output.write("end = \"" + floor(number + 1) + "\"\n\n");
                break;
            case RangeFormat::spqr:
                output.write_line("CREATE KEY RANGE shard" + shard + " FROM '" + floor(number) + "' ROUTE TO shard" +
                                  shard + " FOR DISTRIBUTION event;");
                break;
            case RangeFormat::sql:
                output.write_line("CREATE TABLE event_" + shard + " PARTITION OF event FOR VALUES FROM (" +
                                  (is_first ? "MINVALUE" : '\'' + floor(number) + '\'') + ") TO (" +
                                  (is_last ? "MAXVALUE" : '\'' + floor(number + 1) + '\'') + ");");
                break;
        }
    }
    return success;
}

}  // namespace cli
