//! clean -std=c++17
//! found exception -std=c++17 -DBROKEN
// An exception leaves the function of a thread.
#include <stdexcept>
#include <thread>

int main() {
    std::thread t([] {
#ifdef BROKEN
        throw std::runtime_error("nothing catches this");
#else
        try {
            throw std::runtime_error("caught");
        } catch (const std::exception &) {
        }
#endif
    });
    t.join();
}
