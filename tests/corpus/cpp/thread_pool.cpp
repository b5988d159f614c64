//! clean -std=c++17
//! found deadlock -std=c++17 -DBROKEN
// A pool of one worker; broken: a job waits for another job of the same pool.
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

struct Pool {
    std::mutex m;
    std::condition_variable cv;
    std::deque<std::function<void()>> jobs;
    bool closed = false;
    std::thread worker{[this] { run(); }};
    void run() {
        for (;;) {
            std::function<void()> job;
            {
                std::unique_lock<std::mutex> l(m);
                cv.wait(l, [this] { return closed || !jobs.empty(); });
                if (jobs.empty())
                    return;
                job = std::move(jobs.front());
                jobs.pop_front();
            }
            job();
        }
    }
    void submit(std::function<void()> job) {
        std::lock_guard<std::mutex> l(m);
        jobs.push_back(std::move(job));
        cv.notify_one();
    }
    ~Pool() {
        {
            std::lock_guard<std::mutex> l(m);
            closed = true;
        }
        cv.notify_all();
        worker.join();
    }
};

int main() {
    std::mutex m;
    std::condition_variable cv;
    bool inner = false;
    Pool pool;
#ifdef BROKEN
    pool.submit([&] {
        pool.submit([&] {
            std::lock_guard<std::mutex> l(m);
            inner = true;
            cv.notify_one();
        });
        std::unique_lock<std::mutex> l(m);
        cv.wait(l, [&] { return inner; });
    });
#else
    pool.submit([&] {
        std::lock_guard<std::mutex> l(m);
        inner = true;
        cv.notify_one();
    });
    std::unique_lock<std::mutex> l(m);
    cv.wait(l, [&] { return inner; });
#endif
}
