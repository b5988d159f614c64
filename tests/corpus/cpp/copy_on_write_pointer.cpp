//! clean -std=c++17
//! found race|memory -std=c++17 -DBROKEN
// Readers take a snapshot by std::atomic_load of a shared pointer. Broken: they copy the pointer itself.
#include <memory>
#include <thread>

std::shared_ptr<const int> current = std::make_shared<const int>(1);

int main() {
    std::thread writer([] { std::atomic_store(&current, std::make_shared<const int>(2)); });
#ifdef BROKEN
    auto snapshot = current;
#else
    auto snapshot = std::atomic_load(&current);
#endif
    int seen = *snapshot;
    writer.join();
    return seen != 1 && seen != 2;
}
