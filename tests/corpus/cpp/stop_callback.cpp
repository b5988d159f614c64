//! clean -std=c++20
//! found assertion -std=c++20 -DBROKEN
// A stop callback runs once, in the thread that asks to stop or at once. Broken: the caller takes it to have run already.
#include <atomic>
#include <cassert>
#include <stop_token>
#include <thread>

int main() {
    std::stop_source source;
    std::atomic<int> called{0};
    std::thread other([&] { source.request_stop(); });
    std::stop_callback callback(source.get_token(), [&] { called++; });
#ifndef BROKEN
    other.join();
#endif
    assert(called == 1);
#ifdef BROKEN
    other.join();
#endif
}
