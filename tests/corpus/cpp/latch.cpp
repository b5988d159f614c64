//! clean -std=c++20
//! found deadlock -std=c++20 -DBROKEN
// A latch that expects one arrival too many.
#include <latch>
#include <thread>

int main() {
#ifdef BROKEN
    std::latch ready(3);
#else
    std::latch ready(2);
#endif
    std::thread a([&] { ready.count_down(); }), b([&] { ready.count_down(); });
    ready.wait();
    a.join();
    b.join();
}
