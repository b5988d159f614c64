// A pool of threads that run tasks and give their results by futures. -DBROKEN: the thread that ends the pool wakes one of the
// waiting threads, not all of them.
#include <cassert>
#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#ifndef WORKERS
#define WORKERS 2
#endif
#ifndef TASKS
#define TASKS 1
#endif

class Pool {
    std::mutex lock;
    std::condition_variable changed;
    std::deque<std::function<void()>> tasks;
    bool closed = false;
    std::vector<std::thread> workers;

    void work() {
        for (;;) {
            std::unique_lock<std::mutex> held(lock);
            changed.wait(held, [this] { return closed || !tasks.empty(); });
            if (tasks.empty())
                return;
            std::function<void()> task = std::move(tasks.front());
            tasks.pop_front();
            held.unlock();
            task();
        }
    }

public:
    explicit Pool(int size) {
        for (int i = 0; i < size; i++)
            workers.emplace_back([this] { work(); });
    }

    template <class Function> std::future<int> submit(Function function) {
        auto task = std::make_shared<std::packaged_task<int()>>(function);
        std::future<int> result = task->get_future();
        {
            std::lock_guard<std::mutex> held(lock);
            tasks.push_back([task] { (*task)(); });
        }
        changed.notify_one();
        return result;
    }

    ~Pool() {
        {
            std::lock_guard<std::mutex> held(lock);
            closed = true;
        }
#ifdef BROKEN
        changed.notify_one();
#else
        changed.notify_all();
#endif
        for (std::thread &worker : workers)
            worker.join();
    }
};

int main() {
    Pool pool(WORKERS);
    std::vector<std::future<int>> results;
    for (int i = 0; i < TASKS; i++)
        results.push_back(pool.submit([i] { return i * i; }));
    for (int i = 0; i < TASKS; i++)
        assert(results[i].get() == i * i);
}
