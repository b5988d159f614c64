// A seed of the system's. With -DEARLY it is drawn before main is called.
#include <random>
#include <thread>

static unsigned draw() {
    std::random_device device;
    return device();
}

#ifdef EARLY
static unsigned seed = draw();
#endif

int main() {
#ifndef EARLY
    unsigned seed = draw();
#endif
    std::mt19937 generator(seed);
    int sum = 0;
    std::thread([&] { sum += generator() & 1; }).join();
    return 0;
}
