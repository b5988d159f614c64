//! clean -std=c++17
//! found race|memory -std=c++17 -DBROKEN
// Each thread has its own shared_ptr; broken: both use one and the same.
#include <memory>
#include <thread>

int main() {
    auto shared = std::make_shared<int>(1);
#ifdef BROKEN
    std::thread a([&] { shared.reset(); });
    std::thread b([&] { auto mine = shared; });
#else
    std::thread a([mine = shared]() mutable { mine.reset(); });
    std::thread b([mine = shared]() mutable { auto copy = mine; });
#endif
    a.join();
    b.join();
}
