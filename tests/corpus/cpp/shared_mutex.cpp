//! clean -std=c++17
//! found race -std=c++17 -DBROKEN
// Readers share, writers do not; broken: a cache is filled under the shared lock.
#include <mutex>
#include <shared_mutex>
#include <thread>

static std::shared_mutex m;
static int cache;

static void fill() {
#ifdef BROKEN
    std::shared_lock<std::shared_mutex> l(m);
#else
    std::unique_lock<std::shared_mutex> l(m);
#endif
    if (cache == 0)
        cache = 1;
}

int main() {
    std::thread a(fill), b(fill);
    a.join();
    b.join();
}
