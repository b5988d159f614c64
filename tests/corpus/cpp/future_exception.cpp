//! clean
//! found exception -DBROKEN
// An exception travels through a future; broken: nobody catches it.
#include <future>
#include <stdexcept>

int main() {
    std::future<int> result = std::async(std::launch::async, []() -> int { throw std::runtime_error("no luck"); });
#ifdef BROKEN
    return result.get();
#else
    try {
        return result.get();
    } catch (const std::runtime_error &) {
        return 0;
    }
#endif
}
