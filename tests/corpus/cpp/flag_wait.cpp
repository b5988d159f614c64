//! clean -std=c++20
//! found deadlock|hang -std=c++20 -DBROKEN
// A thread waits for an atomic flag to change. Broken: the flag changes, and the thread is not notified.
#include <atomic>
#include <thread>

std::atomic_flag ready = ATOMIC_FLAG_INIT;

int main() {
    std::thread waiter([] { ready.wait(false); });
    ready.test_and_set();
#ifndef BROKEN
    ready.notify_one();
#endif
    waiter.join();
}
