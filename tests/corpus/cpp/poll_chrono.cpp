//! clean {--timeouts last}
//! clean {--timeouts patient}
//! found exception|assertion|abort {--timeouts last} -DSTUCK
//! found exception|assertion|abort {--timeouts patient} -DSTUCK
// A future that is waited for with a time-out.
#include <cassert>
#include <chrono>
#include <future>
#include <thread>

int main() {
    std::promise<int> promise;
    auto result = promise.get_future();
    std::thread worker([&] {
#ifndef STUCK
        promise.set_value(1);
#endif
    });
    assert(result.wait_for(std::chrono::seconds(2)) == std::future_status::ready);
    worker.join();
}
