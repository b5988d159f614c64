//! clean -std=c++17
//! found race|memory|crash|exit -std=c++17 -DBROKEN
// A text that grows is read under its lock. Broken: only the writer locks.
#include <mutex>
#include <string>
#include <thread>

std::mutex lock;
std::string text = "a";

int main() {
    std::thread writer([] {
        std::lock_guard held(lock);
        text += "a rather long text, which needs memory of its own";
    });
#ifndef BROKEN
    lock.lock();
#endif
    char first = text[0];
#ifndef BROKEN
    lock.unlock();
#endif
    writer.join();
    return first != 'a';
}
