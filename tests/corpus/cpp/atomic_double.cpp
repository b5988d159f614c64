//! clean -std=c++20
//! found assertion -std=c++20 -DBROKEN
// A sum of floating-point numbers. Broken: it is loaded and stored.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<double> sum{0.0};

void add() {
#ifdef BROKEN
    sum = sum + 0.5;
#else
    sum.fetch_add(0.5);
#endif
}

int main() {
    std::thread other(add);
    add();
    other.join();
    assert(sum == 1.0);
}
