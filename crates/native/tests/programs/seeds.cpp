// An engine of the library that is seeded by the time of day.
#include <cassert>
#include <ctime>
#include <random>
#include <thread>

int main() {
    std::mt19937 engine(time(nullptr));
    bool drawn = false;
    std::thread thread([&] { drawn = engine() <= engine.max(); });
    thread.join();
    assert(drawn);
}
