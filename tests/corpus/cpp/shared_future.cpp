//! clean -std=c++17
//! found race -std=c++17 -DBROKEN
// Two threads wait for one result. Broken: what it points to is written after it was set.
#include <future>
#include <thread>

int main() {
    std::promise<int *> promise;
    std::shared_future<int *> result = promise.get_future().share();
    int value = 0;
    int first = 0, second = 0;
    std::thread a([result, &first] { first = *result.get(); }), b([result, &second] { second = *result.get(); });
#ifndef BROKEN
    value = 1;
#endif
    promise.set_value(&value);
#ifdef BROKEN
    value = 1;
#endif
    a.join();
    b.join();
    return first + second > 2;
}
