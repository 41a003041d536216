// Forks at each step of a process's first id, for forks.pl: another thread generates it, and stops before and after
// each call of the system, while this one forks. The child generates an id too, and must not wait for a thread that it
// does not have. Prints how many steps there were, or at which one a child failed.
#include <luuid/luuid.hpp>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <thread>

#include <dlfcn.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>

namespace {

thread_local bool generates_the_first = false;
std::atomic<int> steps_left, stopped;

void step() {
    if (!generates_the_first || --steps_left != 0)
        return;
    stopped = 1;
    stopped.notify_one();
    stopped.wait(1);  // until the fork is done
}

template <class Function, class... Arguments>
auto between_steps(const char* name, Arguments... arguments) {
    const auto function = reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
    step();
    const auto result = function(arguments...);
    step();
    return result;
}

}  // namespace

// In place of the C library's.
extern "C" {
int getentropy(void* buffer, std::size_t size) {
    return between_steps<int(void*, std::size_t)>("getentropy", buffer, size);
}
int pthread_mutex_lock(pthread_mutex_t* mutex) noexcept {
    return between_steps<int(pthread_mutex_t*)>("pthread_mutex_lock", mutex);
}
int pthread_mutex_unlock(pthread_mutex_t* mutex) noexcept {
    return between_steps<int(pthread_mutex_t*)>("pthread_mutex_unlock", mutex);
}
// What pthread_atfork calls.
int __register_atfork(void (*prepare)(), void (*parent)(), void (*child)(), void* object) noexcept {
    return between_steps<int(void (*)(), void (*)(), void (*)(), void*)>("__register_atfork", prepare, parent, child,
                                                                         object);
}
}

namespace {

using Ids = luuid::Id[2];

// In a process that generated nothing: forks at this step. Returns false after the last step.
bool fork_at(int number, int& failures) {
    int ends[2];
    if (pipe(ends) != 0)
        std::abort();
    steps_left = number;
    stopped = 0;
    luuid::Id first;
    std::thread generating([&first] {
        generates_the_first = true;
        luuid::Generator generator;
        first = generator.next();
        generates_the_first = false;
        int expected = 0;  // this was no step
        stopped.compare_exchange_strong(expected, 2);
        stopped.notify_one();
    });
    stopped.wait(0);
    const bool was_a_step = stopped == 1;
    const pid_t child = fork();
    if (child == 0) {
        luuid::Generator generator;
        const luuid::Id id = generator.next();
        _exit(write(ends[1], std::addressof(id), sizeof id) == sizeof id ? 0 : 1);
    }
    stopped = 2;
    stopped.notify_one();
    generating.join();
    close(ends[1]);
    luuid::Id of_child;
    pollfd answer{ends[0], POLLIN, 0};
    if (poll(&answer, 1, 20'000) == 0)
        kill(child, SIGKILL);  // it waits, in fork() already or for the lock
    if (read(ends[0], std::addressof(of_child), sizeof of_child) != sizeof of_child ||
        luuid::pid_field(of_child) != (child & 0xffff) || luuid::prefix(of_child) == luuid::prefix(first) ||
        luuid::pid_field(first) != (getpid() & 0xffff)) {
        std::printf("step %d: the parent has %s, the child %s\n", number, to_string(first).c_str(),
                    to_string(of_child).c_str());
        ++failures;
    }
    close(ends[0]);
    waitpid(child, nullptr, 0);
    return was_a_step;
}

}  // namespace

int main() {
    std::setbuf(stdout, nullptr);
    for (int number = 1;; ++number) {
        const pid_t process = fork();
        if (process == 0) {
            int failures = 0;
            _exit(fork_at(number, failures) ? failures : 100);
        }
        int status = 0;
        waitpid(process, &status, 0);
        if (!WIFEXITED(status) || WEXITSTATUS(status) == 100) {
            std::printf("%d steps\n", number - 1);
            return 0;
        }
    }
}
