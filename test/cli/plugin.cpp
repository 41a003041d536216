// A plugin that generates ids, for plugins.pl. As is usual, its symbols are hidden except the one that the program
// looks up.
#include <luuid/luuid.hpp>

extern "C" [[gnu::visibility("default")]] void make(std::uint32_t node, luuid::Id* id) {
    static luuid::Generator generator({.mode = luuid::CounterMode::sequential, .node = {luuid::NodeRule::fixed, node}});
    *id = generator.next();
}
