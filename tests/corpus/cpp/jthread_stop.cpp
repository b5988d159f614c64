//! clean -std=c++20
//! found hang -std=c++20 -DBROKEN
// A jthread that looks at its stop token; broken: it looks at a flag that nothing sets.
#include <atomic>
#include <thread>

static std::atomic<bool> stop{false};

int main() {
    std::jthread t([](std::stop_token token) {
#ifdef BROKEN
        while (!stop) {
        }
#else
        while (!token.stop_requested()) {
        }
#endif
    });
}
