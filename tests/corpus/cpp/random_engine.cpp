//! clean -std=c++17
//! found assertion -std=c++17 -DBROKEN
// An engine of the library with a fixed seed, one for each thread. Broken: the threads share one under a lock, so draws interleave.
#include <cassert>
#include <mutex>
#include <random>
#include <thread>

std::minstd_rand shared(7);
std::mutex lock;

unsigned draw_two(std::minstd_rand &own) {
#ifdef BROKEN
    (void)own;
    lock.lock();
    unsigned first = shared();
    lock.unlock();
    lock.lock();
    unsigned second = shared();
    lock.unlock();
#else
    unsigned first = own(), second = own();
#endif
    return first ^ second;
}

int main() {
    std::minstd_rand a(7), b(7), reference(7);
    unsigned expected = reference() ^ reference(), seen = 0;
    std::thread other([&] { seen = draw_two(a); });
    unsigned mine = draw_two(b);
    other.join();
#ifdef BROKEN
    assert(mine == expected || seen == expected);
#else
    assert(mine == expected && seen == expected);
#endif
}
