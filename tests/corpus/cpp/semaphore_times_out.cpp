//! clean -std=c++20
//! found assertion -std=c++20 -DBROKEN
//! clean {--timeouts last} -std=c++20 -DBROKEN
// A permit is waited for with a time-out. Broken: it is taken to have come.
#include <cassert>
#include <chrono>
#include <semaphore>
#include <thread>

int main() {
    std::counting_semaphore<2> permits(0);
    std::thread gives([&] { permits.release(); });
    bool taken = permits.try_acquire_for(std::chrono::seconds(2));
#ifdef BROKEN
    assert(taken);
#endif
    gives.join();
    return taken ? 0 : permits.try_acquire() ? 0 : 1;
}
