//! clean
//! found deadlock|hang -DBROKEN
// A queue of unique pointers with an end mark; broken: the consumer waits with `if` and one mark is missing for two consumers.
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>
static std::mutex lock;
static std::condition_variable filled;
static std::deque<std::unique_ptr<int>> queue;

static void put(std::unique_ptr<int> item) {
    std::lock_guard<std::mutex> guard(lock);
    queue.push_back(std::move(item));
    filled.notify_one();
}

static void consume() {
    for (;;) {
        std::unique_lock<std::mutex> guard(lock);
        filled.wait(guard, [] { return !queue.empty(); });
        auto item = std::move(queue.front());
        queue.pop_front();
        if (!item)
            return;
    }
}

int main() {
    std::thread one(consume), two(consume);
    put(std::make_unique<int>(1));
    put(nullptr);
#ifndef BROKEN
    put(nullptr);
#endif
    one.join();
    two.join();
}
