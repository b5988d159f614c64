// An exception leaves what is to be run once.
#include <mutex>
#include <stdexcept>
#include <thread>

static std::once_flag once;

int main() {
    std::thread other([] {
        try {
            std::call_once(once, [] { throw std::runtime_error("not yet"); });
        } catch (std::runtime_error &) {
        }
    });
    other.join();
}
