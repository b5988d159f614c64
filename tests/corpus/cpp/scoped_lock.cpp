//! clean -std=c++17
//! found deadlock -std=c++17 -DBROKEN
// Two locks taken at once by scoped_lock; broken: one after the other, in opposite order.
#include <mutex>
#include <thread>
static std::mutex a, b;
static int money;

static void transfer(std::mutex &from, std::mutex &to) {
#ifdef BROKEN
    std::lock_guard<std::mutex> first(from);
    std::lock_guard<std::mutex> second(to);
#else
    std::scoped_lock both(from, to);
#endif
    money++;
}

int main() {
    std::thread one([] { transfer(a, b); });
    std::thread two([] { transfer(b, a); });
    one.join();
    two.join();
}
