//! clean -std=c++20
//! found deadlock|hang -std=c++20 -DBROKEN
// A thread waits for an atomic to change; broken: nobody notifies it.
#include <atomic>
#include <thread>
static std::atomic<int> ready{0};

int main() {
    std::thread waiter([] { ready.wait(0); });
    ready.store(1);
#ifndef BROKEN
    ready.notify_one();
#endif
    waiter.join();
}
