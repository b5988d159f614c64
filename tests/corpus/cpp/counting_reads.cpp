//! clean -std=c++17
//! found assertion -std=c++17 -DBROKEN
// compare_exchange in a loop; broken: the result is not looked at.
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> n{0};

static void add() {
    int seen = n.load();
#ifdef BROKEN
    n.compare_exchange_strong(seen, seen + 1);
#else
    while (!n.compare_exchange_weak(seen, seen + 1)) {
    }
#endif
}

int main() {
    std::thread a(add), b(add);
    a.join();
    b.join();
    assert(n == 2);
}
