// One thread waits until another one has put something into a container: CASE=1 a list, 2 a map. If BROKEN, both put something
// there, and nothing keeps them apart.
#include <cassert>
#include <iterator>
#include <list>
#include <map>
#include <mutex>
#include <thread>

static std::mutex mutex;

#if CASE == 1
static std::list<int> container;

static void put(int number) {
    container.push_back(number);
}

[[maybe_unused]] static bool is_there() {
    return !container.empty();
}
#else
static std::map<int, int> container;

static void put(int number) {
    container.emplace(number, number);
}

[[maybe_unused]] static bool is_there() {
    return container.find(1) != container.end();
}
#endif

#ifdef BROKEN
int main() {
    std::thread thread(put, 1);
    put(2);
    thread.join();
    assert(std::distance(container.begin(), container.end()) == 2);
}
#else
int main() {
    std::thread thread([] {
        std::lock_guard<std::mutex> held(mutex);
        put(1);
    });
    for (bool there = false; !there;) {
        std::lock_guard<std::mutex> held(mutex);
        there = is_there();
    }
    thread.join();
    assert(std::distance(container.begin(), container.end()) == 1);
}
#endif
