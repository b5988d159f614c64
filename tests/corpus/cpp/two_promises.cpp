//! clean
//! found deadlock -DBROKEN
// Two threads give each other a value; broken: each waits before it gives.
#include <future>
#include <thread>

int main() {
    std::promise<int> left, right;
    auto from_left = left.get_future(), from_right = right.get_future();
    std::thread one([&] {
#ifdef BROKEN
        from_right.get();
        left.set_value(1);
#else
        left.set_value(1);
        from_right.get();
#endif
    });
    std::thread two([&] {
#ifdef BROKEN
        from_left.get();
        right.set_value(2);
#else
        right.set_value(2);
        from_left.get();
#endif
    });
    one.join();
    two.join();
}
