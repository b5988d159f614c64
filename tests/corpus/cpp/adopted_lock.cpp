//! clean -std=c++17
//! found misuse|race -std=c++17 -DBROKEN
// A guard adopts a lock that its thread has. Broken: the thread has not taken it.
#include <mutex>
#include <thread>

std::mutex lock;
int counter = 0;

void add() {
#ifndef BROKEN
    lock.lock();
#endif
    std::lock_guard held(lock, std::adopt_lock);
    counter++;
}

int main() {
    std::thread other(add);
    add();
    other.join();
}
