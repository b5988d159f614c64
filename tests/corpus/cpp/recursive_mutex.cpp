//! clean -std=c++17
//! found deadlock|misuse -std=c++17 -DBROKEN
// A method that holds the lock calls another one that takes it. Broken: the mutex is no recursive one.
#include <mutex>
#include <thread>

class Account {
#ifdef BROKEN
    std::mutex lock;
#else
    std::recursive_mutex lock;
#endif
    int balance = 0;

  public:
    void add(int amount) {
        std::lock_guard held(lock);
        balance += amount;
    }
    void add_twice(int amount) {
        std::lock_guard held(lock);
        add(amount);
        add(amount);
    }
};

int main() {
    Account account;
    std::thread other([&] { account.add_twice(1); });
    account.add(1);
    other.join();
}
