//! clean
//! found race|memory|crash -DBROKEN
// A worker is joined by a destructor; broken: a member that it uses is declared behind it and dies first.
#include <atomic>
#include <memory>
#include <thread>
struct Worker {
#ifndef BROKEN
    std::unique_ptr<int> result = std::make_unique<int>(0);
#endif
    struct Joiner {
        std::thread thread;
        ~Joiner() { thread.join(); }
    } joiner;
#ifdef BROKEN
    std::unique_ptr<int> result = std::make_unique<int>(0);
#endif
    Worker() { joiner.thread = std::thread([this] { *result = 1; }); }
};

int main() { Worker worker; }
