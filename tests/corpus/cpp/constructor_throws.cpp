//! clean -std=c++17
//! found deadlock -std=c++17 -DBROKEN
// A constructor throws while it holds a lock. Broken: it took the lock without a guard.
#include <mutex>
#include <stdexcept>
#include <thread>

std::mutex lock;

struct Connection {
    explicit Connection(bool fails) {
#ifdef BROKEN
        lock.lock();
#else
        std::lock_guard held(lock);
#endif
        if (fails)
            throw std::runtime_error("refused");
#ifdef BROKEN
        lock.unlock();
#endif
    }
};

int main() {
    std::thread other([] {
        try {
            Connection connection(true);
        } catch (const std::runtime_error &) {
        }
    });
    Connection connection(false);
    other.join();
}
