//! clean -std=c++17
//! found deadlock -std=c++17 -DBROKEN
// A promise that is kept on every path, or only on one.
#include <atomic>
#include <future>
#include <thread>

int main() {
    std::promise<int> p;
    auto f = p.get_future();
    std::atomic<bool> ready{false};
    std::thread t([&] {
#ifdef BROKEN
        if (ready)
            p.set_value(1);
#else
        p.set_value(1);
#endif
    });
    ready = true;
    f.wait();
    t.join();
}
