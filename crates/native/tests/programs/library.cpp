// What the C++ library does behind a program's back, one for each number. None of it races.
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <stop_token>
#include <thread>

#if CASE == 1
// References are counted by atomic operations as soon as there are two threads.
int main() {
    auto shared = std::make_shared<int>(3);
    std::thread other([shared] { assert(*shared == 3); });
    shared.reset();
    other.join();
}
#elif CASE == 2
// The first who comes makes it, and the others see it made.
struct Made {
    int value;
    Made() : value(0) { value = 5; }
};
Made &made() {
    static Made once;
    return once;
}
int main() {
    std::thread other([] { assert(made().value == 5); });
    assert(made().value == 5);
    other.join();
}
#elif CASE == 3
// Who waits in vain finds that the time has passed.
int main() {
    std::mutex lock;
    std::condition_variable changed;
    bool ready = false;
    std::thread other([&] {
        std::unique_lock held(lock);
        bool seen = changed.wait_for(held, std::chrono::milliseconds(10), [&] { return ready; });
        assert(seen == ready);
    });
    {
        std::lock_guard held(lock);
        ready = true;
    }
    changed.notify_one();
    other.join();
}
#elif CASE == 4
// Who removes what is to be called waits until it has been.
int main() {
    std::stop_source source;
    int calls = 0;
    {
        std::stop_callback callback(source.get_token(), [&] { calls++; });
        std::thread other([&] { source.request_stop(); });
        other.join();
    }
    assert(calls == 1);
}
#elif CASE == 6
// Who has called what is to be called tells who waits for that, of whom nothing may be left by then.
int main() {
    std::stop_source source;
    std::thread other([token = source.get_token()] { std::stop_callback callback(token, [] {}); });
    source.request_stop();
    other.join();
}
#elif CASE == 5
int main() {
    std::thread other([] {});
    if (other.joinable())
        return 0;
    other.join();
}
#endif
