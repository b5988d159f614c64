//! clean -std=c++17
//! found deadlock|misuse -std=c++17 -DBROKEN
// A subject calls its observers. Broken: it holds its lock meanwhile, and an observer unregisters itself.
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

class Subject {
    std::mutex lock;
    std::vector<std::function<void()>> observers;

  public:
    void add(std::function<void()> observer) {
        std::lock_guard held(lock);
        observers.push_back(std::move(observer));
    }
    void clear() {
        std::lock_guard held(lock);
        observers.clear();
    }
    void notify() {
#ifdef BROKEN
        std::lock_guard held(lock);
        for (auto &observer : observers)
            observer();
#else
        std::vector<std::function<void()>> copy;
        {
            std::lock_guard held(lock);
            copy = observers;
        }
        for (auto &observer : copy)
            observer();
#endif
    }
};

int main() {
    Subject subject;
    std::thread adds([&] { subject.add([&] { subject.clear(); }); });
    subject.notify();
    adds.join();
}
