// What the C++ library has for threads, each in a small place.
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <future>
#include <mutex>
#include <shared_mutex>
#include <stdexcept>
#include <string>
#include <thread>

#if CASE == 1
int counter;
std::mutex lock;

int main() {
    auto add = [] {
#ifndef BROKEN
        std::lock_guard<std::mutex> guard(lock);
#endif
        counter++;
    };
    std::thread a(add), b(add);
    a.join();
    b.join();
    assert(counter == 2);
}
#elif CASE == 2
bool ready;
std::mutex lock;
std::condition_variable condition;

int main() {
    std::thread other([] {
        std::unique_lock<std::mutex> guard(lock);
        ready = true;
        condition.notify_one();
    });
    {
        std::unique_lock<std::mutex> guard(lock);
        condition.wait(guard, [] { return ready; });
    }
    other.join();
}
#elif CASE == 3
thread_local std::string local = "x";

int main() {
    std::thread other([] {
        try {
            throw std::runtime_error("e");
        } catch (std::exception &error) {
            local += error.what();
        }
        assert(local == "xe");
    });
    other.join();
    assert(local == "x");
}
#elif CASE == 4
int made;
struct Made {
    Made() { made++; }
};
std::once_flag once;

void use() {
    static Made only;
    std::call_once(once, [] { made++; });
}

int main() {
    std::thread other(use);
    use();
    other.join();
    assert(made == 2);
}
#elif CASE == 5
std::atomic<int> flag{0};
std::shared_mutex lock;
int data;

int main() {
    std::thread other([] {
        {
            std::unique_lock guard(lock);
            data = 1;
        }
        flag = 1;
        flag.notify_one();
    });
    flag.wait(0);
    {
        std::shared_lock guard(lock);
        assert(data == 1);
    }
    other.join();
}
#elif CASE == 6
int main() {
    std::promise<int> promise;
    auto future = promise.get_future();
    std::thread other([&] { promise.set_value(7); });
    assert(future.get() == 7);
    other.join();
    assert(std::async(std::launch::async, [] { return 5; }).get() == 5);
}
#elif CASE == 7
int main() {
    std::thread other([] { throw std::runtime_error("nobody catches it"); });
    other.join();
}
#elif CASE == 8
std::mutex one, two;

int main() {
    std::thread other([] { std::scoped_lock both(one, two); });
    { std::scoped_lock both(two, one); }
    other.join();
}
#endif
