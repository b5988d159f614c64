/* A thread that a global object creates before main is called, and joins behind it. -DBROKEN: main does not expect it to be
   there already. */
#include <cassert>
#include <mutex>
#include <thread>

static std::mutex mutex;
static int value;

struct Worker {
    std::thread thread;
    Worker() : thread([] {
        std::lock_guard guard(mutex);
        value++;
    }) {}
    ~Worker() {
        thread.join();
        assert(value == 2);
    }
};

static Worker worker;

int main() {
    std::lock_guard guard(mutex);
#ifdef BROKEN
    assert(value == 0);
#endif
    value++;
}
