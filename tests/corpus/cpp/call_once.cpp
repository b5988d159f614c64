//! clean -std=c++17
//! found assertion -std=c++17 -DBROKEN
// std::call_once against a flag of one's own.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

static std::once_flag once;
static std::atomic<int> flag{0}, calls{0};

static void work() {
#ifdef BROKEN
    if (!flag.exchange(1))
        calls++;
#else
    std::call_once(once, [] { calls++; });
#endif
    assert(calls == 1);
}

int main() {
    std::thread a(work), b(work);
    a.join();
    b.join();
}
