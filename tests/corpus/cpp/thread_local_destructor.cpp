//! clean -std=c++17
//! found race|memory -std=c++17 -DBROKEN
// A thread's own object writes a log when it is destroyed. Broken: main reads the log before the thread has ended.
#include <thread>

int log_length = 0;

struct Session {
    int uses = 0;
    ~Session() { log_length += uses; }
};

thread_local Session session;

int main() {
    std::thread worker([] { session.uses++; });
#ifdef BROKEN
    int seen = log_length;
    worker.join();
#else
    worker.join();
    int seen = log_length;
#endif
    return seen > 1;
}
