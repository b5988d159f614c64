// Threads that end with their scope work in two phases: a barrier ends each phase, a latch tells the first thread that all are
// done. -DBROKEN: the latch waits for one thread too few.
#include <barrier>
#include <cassert>
#include <latch>
#include <thread>
#include <vector>

#ifndef WORKERS
#define WORKERS 2
#endif

#ifdef BROKEN
std::latch done(WORKERS - 1);
#else
std::latch done(WORKERS);
#endif
std::barrier<> phase(WORKERS);
int half[WORKERS], whole[WORKERS];

void work(int own) {
    half[own] = own + 1;
    phase.arrive_and_wait();
    for (int i = 0; i < WORKERS; i++)
        whole[own] += half[i];
    done.count_down();
}

int main() {
    std::vector<std::jthread> workers;
    for (int i = 0; i < WORKERS; i++)
        workers.emplace_back(work, i);
    done.wait();
    for (int i = 0; i < WORKERS; i++)
        assert(whole[i] == WORKERS * (WORKERS + 1) / 2);
}
