// A cache: many threads may look something up at once. A thread that does not find it computes it and puts it in. -DBROKEN: a
// thread that has waited for the right to write does not look again, and computes what is there.
#include <atomic>
#include <cassert>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <thread>

std::shared_mutex lock;
std::map<int, int> known;
std::atomic<int> computed;

int compute(int key) {
    computed++;
    return key * key;
}

int look_up(int key) {
    {
        std::shared_lock<std::shared_mutex> reading(lock);
        auto found = known.find(key);
        if (found != known.end())
            return found->second;
    }
    std::unique_lock<std::shared_mutex> writing(lock);
#ifndef BROKEN
    auto found = known.find(key);
    if (found != known.end())
        return found->second;
#endif
    return known[key] = compute(key);
}

int main() {
    std::thread other([] { assert(look_up(7) == 49); });
    assert(look_up(7) == 49);
    other.join();
    assert(computed == 1);
}
