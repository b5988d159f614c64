// Two threads append to one string. -DBROKEN: without a lock.
#include <cassert>
#include <mutex>
#include <string>
#include <thread>

std::mutex mutex;
std::string text;

void append() {
#ifndef BROKEN
    std::lock_guard<std::mutex> guard(mutex);
#endif
    text += 'x';
}

int main() {
    std::thread first(append), second(append);
    first.join();
    second.join();
    assert(text == "xx");
}
