//! clean -std=c++20
//! found livelock -std=c++20 -DBROKEN
// Two threads wait for each other's turn by std::atomic; broken: they never stop.
#include <atomic>
#include <thread>

static std::atomic<int> turn;

static void play(int me) {
#ifdef BROKEN
    for (;;) {
#else
    for (int round = 0; round < 1; round++) {
#endif
        turn.wait(1 - me);
        turn = 1 - me;
        turn.notify_one();
    }
}

int main() {
    std::thread a(play, 0), b(play, 1);
    a.join();
    b.join();
}
