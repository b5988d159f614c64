// Cycles of locks of the C++ library, behind a main that returns. With FIXED the locks are taken together, or in one order.
#include <mutex>
#include <shared_mutex>
#include <thread>

static std::mutex a;
static std::recursive_mutex recursive;
static std::shared_mutex shared;

static void first() {
#if CASE == 0
    std::lock_guard one(a);
    std::lock_guard other(recursive);
#elif CASE == 1
    std::shared_lock one(shared);
    std::lock_guard other(a);
#elif CASE == 2
    std::lock_guard one(a);
    std::scoped_lock others(recursive, shared);
#endif
}

static void second() {
#if CASE == 0 && defined FIXED
    std::scoped_lock both(recursive, a);
#elif CASE == 0
    std::lock_guard one(recursive);
    std::lock_guard again(recursive);
    std::lock_guard other(a);
#elif CASE == 1 && defined FIXED
    std::unique_lock one(shared);
    std::lock_guard other(a);
#elif CASE == 1
    std::lock_guard one(a);
    std::unique_lock other(shared);
#elif CASE == 2 && defined FIXED
    std::lock_guard other(a);
    std::shared_lock one(shared);
#elif CASE == 2
    std::shared_lock one(shared);
    std::lock_guard other(a);
#endif
}

int main() {
    std::thread(first).detach();
    std::thread(second).detach();
}
