// An exception leaves what is to be run once: whoever comes next runs it. If BROKEN, nobody catches the exception.
#include <cassert>
#include <mutex>
#include <stdexcept>
#include <thread>

static std::once_flag once;
static int runs, caught;

static void run() {
    runs++;
    if (runs == 1)
        throw std::runtime_error("not yet");
}

static void start() {
#ifdef BROKEN
    std::call_once(once, run);
#else
    try {
        std::call_once(once, run);
        assert(runs == 2);
    } catch (std::runtime_error &) {
        caught++;
    }
#endif
}

int main() {
    std::thread a(start), b(start);
    a.join();
    b.join();
    assert(runs == 2 && caught == 1);
}
