//! clean -std=c++17
//! found deadlock -std=c++17 -DBROKEN
// An exception passes by an unlock that is not in a guard.
#include <mutex>
#include <thread>

static std::mutex m;

static void work(bool fails) {
#ifdef BROKEN
    m.lock();
    if (fails)
        throw 1;
    m.unlock();
#else
    std::lock_guard<std::mutex> l(m);
    if (fails)
        throw 1;
#endif
}

int main() {
    std::thread a([] {
        try {
            work(true);
        } catch (int) {
        }
    });
    std::thread b([] { work(false); });
    a.join();
    b.join();
}
