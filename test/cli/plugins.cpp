// A program with two plugins that generate ids, for plugins.pl: `plugins global|local FIRST NODE SECOND NODE`. They
// take turns, and it reports for the ids of each, and of both, if all differ, and if each is greater than the one
// before, and has this process's id. And if they have one state.
#include <luuid/luuid.hpp>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <unordered_set>
#include <vector>

#include <dlfcn.h>
#include <unistd.h>

namespace {

using Make = void(std::uint32_t node, luuid::Id* id);
using State = const void*();

struct Plugin {
    Make* make;
    State* state;

    Plugin(const char* path, int flag) {
        void* const object = dlopen(path, RTLD_NOW | flag);
        if (object == nullptr) {
            std::fprintf(stderr, "%s\n", dlerror());
            std::exit(1);
        }
        make = reinterpret_cast<Make*>(dlsym(object, "make"));
        state = reinterpret_cast<State*>(dlsym(object, "state"));
    }
};

void describe(const char* name, const std::vector<luuid::Id>& ids) {
    const std::unordered_set<luuid::Id> distinct(ids.begin(), ids.end());
    bool rises = true;
    for (std::size_t i = 1; i < ids.size(); ++i)
        rises &= luuid::compare(ids[i - 1], ids[i]) < 0;
    for (const luuid::Id& id : ids)
        if (luuid::pid_field(id) != (getpid() & 0xffff))
            name = "of another process:";
    std::printf("%s %s and %s\n", name, distinct.size() == ids.size() ? "differ" : "repeat", rises ? "rise" : "fall");
}

}  // namespace

int main(int, char** arguments) {
    const int flag = std::string_view(arguments[1]) == "global" ? RTLD_GLOBAL : RTLD_LOCAL;
    const Plugin plugins[] = {{arguments[2], flag}, {arguments[4], flag}};
    const std::uint32_t node[] = {static_cast<std::uint32_t>(std::atoi(arguments[3])),
                                  static_cast<std::uint32_t>(std::atoi(arguments[5]))};
    std::vector<luuid::Id> ids[2], all;
    for (std::size_t i = 0; i < 200'000; ++i) {
        plugins[i % 2].make(node[i % 2], std::addressof(all.emplace_back()));
        ids[i % 2].push_back(all.back());
    }
    describe("first:", ids[0]);
    describe("second:", ids[1]);
    describe("both:", all);
    std::puts(plugins[0].state() == plugins[1].state() ? "one state" : "two states");
}
