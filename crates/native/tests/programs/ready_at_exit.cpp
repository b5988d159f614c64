// A result is there when its thread has ended, thread-local objects included: by a promise or, if TASK, by a task. If BROKEN, the
// thread's object writes what somebody else reads who has not waited.
#include <cassert>
#include <future>
#include <thread>

static int ended;

struct Object {
    ~Object() { ended = 1; }
};

static int compute() {
    thread_local Object object;
    (void)&object;
    return 3;
}

int main() {
#ifdef TASK
    std::packaged_task<int()> result(compute);
    auto future = result.get_future();
    std::thread thread([](auto task) { task.make_ready_at_thread_exit(); }, std::move(result));
#else
    std::promise<int> result;
    auto future = result.get_future();
    std::thread thread([](auto promise) { promise.set_value_at_thread_exit(compute()); }, std::move(result));
#endif
#ifdef BROKEN
    assert(ended == 0 || ended == 1);
#endif
    assert(future.get() == 3);
    assert(ended == 1);
    thread.join();
}
