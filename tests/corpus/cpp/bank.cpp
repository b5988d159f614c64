//! clean -std=c++17
//! found deadlock -std=c++17 -DBROKEN
// Transfers between two accounts; std::scoped_lock takes both locks without a deadlock.
#include <mutex>
#include <thread>

struct Account { std::mutex lock; int money = 10; };

static void transfer(Account &from, Account &to) {
#ifdef BROKEN
    std::lock_guard<std::mutex> a(from.lock);
    std::lock_guard<std::mutex> b(to.lock);
#else
    std::scoped_lock both(from.lock, to.lock);
#endif
    from.money--;
    to.money++;
}

int main() {
    Account a, b;
    std::thread there([&] { transfer(a, b); });
    std::thread back([&] { transfer(b, a); });
    there.join();
    back.join();
}
