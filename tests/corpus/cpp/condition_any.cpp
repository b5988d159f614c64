//! clean -std=c++17
//! found deadlock -std=c++17 -DBROKEN
// A condition with a shared lock. Broken: one notification for two waiters.
#include <condition_variable>
#include <shared_mutex>
#include <thread>

std::shared_mutex lock;
std::condition_variable_any ready;
bool done = false;

void wait() {
    std::shared_lock held(lock);
    ready.wait(held, [] { return done; });
}

int main() {
    std::thread a(wait), b(wait);
    {
        std::unique_lock held(lock);
        done = true;
    }
#ifdef BROKEN
    ready.notify_one();
#else
    ready.notify_all();
#endif
    a.join();
    b.join();
}
