//! clean
//! found race|memory|crash -DBROKEN
// Two threads write to a hash map; broken: one of them without the lock.
#include <mutex>
#include <thread>
#include <unordered_map>
static std::unordered_map<int, int> map;
static std::mutex lock;

int main() {
    std::thread one([] {
        std::lock_guard<std::mutex> guard(lock);
        map[1] = 1;
    });
    std::thread two([] {
#ifndef BROKEN
        std::lock_guard<std::mutex> guard(lock);
#endif
        map[2] = 2;
    });
    one.join();
    two.join();
}
