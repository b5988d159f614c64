//! clean -std=c++20
//! found race -std=c++20 -DBROKEN
// Two threads write cells of their own, wait for each other, and read the other's. Broken: one of them drops out.
#include <barrier>
#include <thread>

int cells[2];
int sums[2];

int main() {
    std::barrier meet(2);
    auto work = [&](int me) {
        cells[me] = me + 1;
#ifdef BROKEN
        if (me == 1)
            meet.arrive_and_drop();
        else
            (void)meet.arrive();
#else
        meet.arrive_and_wait();
#endif
        sums[me] = cells[0] + cells[1];
    };
    std::thread a(work, 0), b(work, 1);
    a.join();
    b.join();
}
