//! clean
//! found crash|memory|race|assertion -DBROKEN
// A weak pointer is locked before it is used; broken: it is asked whether it has expired, and then used by its raw pointer.
#include <cassert>
#include <memory>
#include <thread>

int main() {
    auto owner = std::shared_ptr<int>(new int(5));
    std::weak_ptr<int> weak = owner;
    int *raw = owner.get();
    std::thread reader([weak, raw] {
#ifdef BROKEN
        if (!weak.expired())
            assert(*raw == 5);
#else
        if (auto kept = weak.lock())
            assert(*kept == 5 && raw);
#endif
    });
    owner.reset();
    reader.join();
}
