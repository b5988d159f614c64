//! clean -std=c++17
//! found assertion -std=c++17 -DBROKEN
//! clean {--timeouts last} -std=c++17 -DBROKEN
// A lock that is waited for with a time-out. Broken: the result is taken to be true.
#include <cassert>
#include <chrono>
#include <mutex>
#include <thread>

std::timed_mutex lock;
int inside = 0;

void work() {
    using namespace std::chrono_literals;
    bool taken = lock.try_lock_for(10ms);
#ifdef BROKEN
    assert(taken);
#else
    if (!taken)
        return;
#endif
    inside++;
    lock.unlock();
}

int main() {
    std::thread a(work), b(work);
    a.join();
    b.join();
}
