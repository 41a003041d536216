// A plugin that makes ids, for plugins.pl. Its symbols are hidden but for what the program looks for, as is usual.
#include <luuid/luuid.hpp>

extern "C" [[gnu::visibility("default")]] void make(std::uint32_t node, luuid::Id* id) {
    static luuid::Generator generator({.mode = luuid::CounterMode::sequential, .node = {luuid::NodeRule::fixed, node}});
    *id = generator.next();
}
