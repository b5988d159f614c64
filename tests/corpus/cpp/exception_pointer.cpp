//! clean -std=c++17
//! found exception -std=c++17 -DBROKEN
// A worker hands its exception to main. Broken: main throws it again without a handler.
#include <exception>
#include <stdexcept>
#include <thread>

int main() {
    std::exception_ptr failure;
    std::thread worker([&] {
        try {
            throw std::runtime_error("no data");
        } catch (...) {
            failure = std::current_exception();
        }
    });
    worker.join();
#ifdef BROKEN
    std::rethrow_exception(failure);
#else
    try {
        std::rethrow_exception(failure);
    } catch (const std::runtime_error &) {
        return 0;
    }
    return 1;
#endif
}
