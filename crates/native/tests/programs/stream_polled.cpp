// One thread waits in a loop until another one has done something to a stream, which happens in a library that is not
// instrumented. If BROKEN, the other one does nothing.
#include <mutex>
#include <sstream>
#include <thread>

static std::ostringstream stream;
static std::mutex lock;

int main() {
    std::thread other([] {
        std::lock_guard<std::mutex> guard(lock);
#ifndef BROKEN
        stream.setstate(std::ios::failbit);
#endif
    });
    for (;;) {
        std::lock_guard<std::mutex> guard(lock);
        if (stream.fail())
            break;
        std::this_thread::yield();
    }
    other.join();
    return 0;
}
