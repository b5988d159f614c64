// Threads draw random numbers, and which variable they write to depends on them: CASE=1 of the C library, 2 of the C++ library's
// device.
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <random>
#include <thread>

static std::atomic<int> even, odd;

static unsigned draw() {
#if CASE == 1
    return rand();
#else
    static thread_local std::random_device device;
    return device();
#endif
}

static void work() {
    for (int round = 0; round < 2; round++)
        (draw() % 2 ? odd : even)++;
}

int main() {
    srand(1);
    std::thread one(work), other(work);
    one.join();
    other.join();
    assert(even + odd == 4);
}
