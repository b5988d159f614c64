//! clean -std=c++17
//! found race|memory|crash -std=c++17 -DBROKEN
// Two threads push into one vector.
#include <mutex>
#include <thread>
#include <vector>

static std::mutex m;
static std::vector<int> all;

static void push(int n) {
#ifndef BROKEN
    std::lock_guard<std::mutex> l(m);
#endif
    all.push_back(n);
}

int main() {
    std::thread a(push, 1), b(push, 2);
    a.join();
    b.join();
}
