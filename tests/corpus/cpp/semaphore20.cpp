//! clean -std=c++20
//! found deadlock -std=c++20 -DBROKEN
// Ping-pong by two binary semaphores; broken: both begin empty.
#include <cassert>
#include <semaphore>
#include <thread>
#ifdef BROKEN
static std::binary_semaphore ping{0}, pong{0};
#else
static std::binary_semaphore ping{1}, pong{0};
#endif
static int ball;

int main() {
    std::thread one([] {
        for (int n = 0; n < 2; n++) {
            ping.acquire();
            assert(ball % 2 == 0);
            ball++;
            pong.release();
        }
    });
    std::thread two([] {
        for (int n = 0; n < 2; n++) {
            pong.acquire();
            assert(ball % 2 == 1);
            ball++;
            ping.release();
        }
    });
    one.join();
    two.join();
    assert(ball == 4);
}
