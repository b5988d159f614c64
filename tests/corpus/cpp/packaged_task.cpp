//! clean -std=c++17
//! found exception -std=c++17 -DBROKEN
// A task hands its result over. Broken: it may be destroyed before it ran, and the future throws.
#include <atomic>
#include <cassert>
#include <future>
#include <optional>
#include <thread>

int main() {
    std::optional<std::packaged_task<int()>> task([] { return 5; });
    auto result = task->get_future();
    std::atomic<bool> enough{false};
    std::thread stopper([&] { enough = true; });
#ifdef BROKEN
    if (!enough)
        (*task)();
#else
    (*task)();
#endif
    task.reset();
    assert(result.get() == 5);
    stopper.join();
}
