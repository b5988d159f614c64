//! clean -std=c++17
//! found race -std=c++17 -DBROKEN
// A ring for one producer and one consumer; broken: the head is published before the slot is written.
#include <atomic>
#include <cassert>
#include <thread>

static int slot[2];
static std::atomic<unsigned> head{0}, tail{0};

int main() {
    std::thread producer([] {
        for (int i = 1; i <= 2; i++) {
            unsigned at = head.load(std::memory_order_relaxed);
#ifdef BROKEN
            head.store(at + 1, std::memory_order_release);
            slot[at % 2] = i;
#else
            slot[at % 2] = i;
            head.store(at + 1, std::memory_order_release);
#endif
        }
    });
    int sum = 0;
    for (int n = 0; n < 2; n++) {
        unsigned at = tail.load(std::memory_order_relaxed);
        while (head.load(std::memory_order_acquire) == at) {
        }
        sum += slot[at % 2];
        tail.store(at + 1, std::memory_order_release);
    }
    producer.join();
#ifndef BROKEN
    assert(sum == 3);
#endif
}
