//! clean -std=c++17
//! found deadlock -std=c++17 -DBROKEN
// A task that sets a flag for another one. Broken: it is deferred, so it never runs before its result is asked for.
#include <future>

int main() {
    std::promise<void> ready;
    auto policy = std::launch::async;
#ifdef BROKEN
    policy = std::launch::deferred;
#endif
    auto setter = std::async(policy, [&] { ready.set_value(); });
    ready.get_future().wait();
    setter.get();
}
