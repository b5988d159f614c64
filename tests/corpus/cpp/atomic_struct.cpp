//! clean
//! found assertion -DBROKEN
// A pair is replaced as one atomic; broken: as two.
#include <atomic>
#include <cassert>
#include <thread>
struct Pair { int a, b; };
static std::atomic<Pair> both{Pair{0, 0}};
static std::atomic<int> one{0}, two{0};

int main() {
    std::thread writer([] {
        both.store(Pair{1, 1});
        one = 1;
        two = 1;
    });
#ifdef BROKEN
    int a = one, b = two;
    assert(a == b);
#else
    Pair pair = both.load();
    assert(pair.a == pair.b);
#endif
    writer.join();
}
