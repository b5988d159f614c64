// Operators of the program's own, which those that it does not define call, too.
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <new>
#include <string>
#include <thread>

static std::atomic<int> made, gone;

void *operator new(std::size_t size) {
    made++;
    return std::malloc(size);
}

void operator delete(void *block) noexcept {
    gone++;
    std::free(block);
}

int main() {
    std::thread([] {
        int *volatile numbers = new int[3];
        delete[] numbers;
    }).join();
    int before = made;
    std::string *volatile text = new (std::nothrow) std::string(100, 'x');
    assert(made == before + 2);
    delete text;
    assert(made == gone);
}
