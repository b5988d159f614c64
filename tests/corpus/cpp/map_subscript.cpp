//! clean -std=c++17
//! found race|memory|crash -std=c++17 -DBROKEN
// Readers of a map use find. Broken: they use the subscript, which inserts what is missing.
#include <map>
#include <thread>

std::map<int, int> table{{1, 10}};

int look(int key) {
#ifdef BROKEN
    return table[key];
#else
    auto found = table.find(key);
    return found == table.end() ? 0 : found->second;
#endif
}

int main() {
    int seen = 0;
    std::thread other([&] { seen = look(2); });
    int own = look(3);
    other.join();
    return own != seen;
}
