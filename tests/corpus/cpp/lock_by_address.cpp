//! clean -std=c++17
//! found deadlock -std=c++17 -DBROKEN
// Transfers take two locks in the order of their addresses. Broken: in the order of the arguments.
#include <mutex>
#include <thread>
#include <utility>

struct Account {
    std::mutex lock;
    int balance = 10;
};

void transfer(Account &from, Account &to) {
    Account *first = &from, *second = &to;
#ifndef BROKEN
    if (second < first)
        std::swap(first, second);
#endif
    std::lock_guard one(first->lock);
    std::lock_guard two(second->lock);
    from.balance--;
    to.balance++;
}

int main() {
    Account accounts[2];
    std::thread a([&] { transfer(accounts[0], accounts[1]); }), b([&] { transfer(accounts[1], accounts[0]); });
    a.join();
    b.join();
    return accounts[0].balance + accounts[1].balance != 20;
}
