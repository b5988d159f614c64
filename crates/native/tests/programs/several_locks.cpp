// Two threads take the same locks in opposite orders, several at once or, if BROKEN, one after the other.
#include <cassert>
#include <mutex>
#include <thread>

static std::mutex a, b;
static std::recursive_mutex c;
static int sum;

static void add(bool forth) {
#ifdef TRIES
    // While the other one tries to have all, it may have this one for a moment.
    if (a.try_lock())
        a.unlock();
#endif
#ifdef BROKEN
    std::lock_guard first(forth ? a : b);
    std::lock_guard second(forth ? b : a);
    sum++;
#else
    if (forth) {
        std::scoped_lock all(a, b, c);
        sum++;
    } else {
        std::scoped_lock all(c, b, a);
        sum++;
    }
#endif
}

int main() {
    std::thread forth(add, true), back(add, false);
    forth.join();
    back.join();
    assert(sum == 2);
}
