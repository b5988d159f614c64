//! clean -std=c++17
//! found crash -std=c++17 -DBROKEN
// The destructor of a joinable std::thread ends the program.
#include <atomic>
#include <thread>

int main() {
    std::atomic<int> n{0};
    std::thread t([&] { n++; });
#ifndef BROKEN
    t.join();
#endif
}
