//! clean -std=c++17
//! found deadlock -std=c++17 -DBROKEN
// std::condition_variable with and without a predicate.
#include <condition_variable>
#include <mutex>
#include <thread>

int main() {
    std::mutex m;
    std::condition_variable cv;
    bool ready = false;
    std::thread t([&] {
        std::unique_lock<std::mutex> l(m);
#ifdef BROKEN
        cv.wait(l);
#else
        cv.wait(l, [&] { return ready; });
#endif
    });
    {
        std::lock_guard<std::mutex> l(m);
        ready = true;
    }
    cv.notify_one();
    t.join();
}
