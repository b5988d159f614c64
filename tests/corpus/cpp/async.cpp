//! clean -std=c++17
//! found assertion -std=c++17 -DBROKEN
// Two asynchronous tasks add to one number.
#include <atomic>
#include <cassert>
#include <future>

int main() {
    std::atomic<int> n{0};
    auto add = [&] {
#ifdef BROKEN
        n = n + 1;
#else
        n++;
#endif
    };
    auto a = std::async(std::launch::async, add);
    auto b = std::async(std::launch::async, add);
    a.get();
    b.get();
    assert(n == 2);
}
