// A plugin that generates ids, for plugins.pl, and says where it keeps its state. As is usual, its symbols are hidden
// except those that the program looks up.
#include <luuid/luuid.hpp>

extern "C" [[gnu::visibility("default")]] void make(std::uint32_t node, luuid::Id* id) {
    static luuid::Generator generator({.mode = luuid::CounterMode::sequential, .node = {luuid::NodeRule::fixed, node}});
    *id = generator.next();
}

extern "C" [[gnu::visibility("default")]] const void* state() { return &luuid::detail::shared; }
