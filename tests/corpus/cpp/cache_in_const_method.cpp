//! clean -std=c++17
//! found race -std=c++17 -DBROKEN
// A method that is const fills a cache. Broken: without a lock.
#include <mutex>
#include <optional>
#include <thread>

class Shape {
    mutable std::mutex lock;
    mutable std::optional<int> area;

  public:
    int compute() const {
#ifndef BROKEN
        std::lock_guard held(lock);
#endif
        if (!area)
            area = 42;
        return *area;
    }
};

int main() {
    const Shape shape;
    int seen = 0;
    std::thread other([&] { seen = shape.compute(); });
    int own = shape.compute();
    other.join();
    return seen != own;
}
