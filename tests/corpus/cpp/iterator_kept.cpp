//! clean -std=c++17
//! found race|memory|crash -std=c++17 -DBROKEN
// A pointer to an element is kept while another thread lets the vector grow. Right: the room is reserved.
#include <mutex>
#include <thread>
#include <vector>

int main() {
    std::vector<int> numbers;
#ifdef BROKEN
    numbers.reserve(1);
#else
    numbers.reserve(4);
#endif
    numbers.push_back(1);
    int *first = &numbers[0];
    std::thread grower([&] {
        numbers.push_back(2);
        numbers.push_back(3);
    });
    *first = 7;
    grower.join();
    return numbers[0] != 7;
}
