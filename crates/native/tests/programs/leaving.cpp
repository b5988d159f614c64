// A thread ends from within its functions: destructors and handlers run on the way. CASE says what else there is. If BROKEN, not
// all that is to be done is done.
#include <cassert>
#include <cxxabi.h>
#include <mutex>
#include <pthread.h>

static std::mutex mutex;
static int objects, handled;

struct Object {
    ~Object() { objects++; }
};

[[maybe_unused]] static void handle(void *) {
    handled++;
}

static void leave() {
    Object inner;
    pthread_exit(nullptr);
}

#if CASE == 1 // A lock is given back, and handlers are destructors.
static void start() {
#ifdef BROKEN
    mutex.lock();
#else
    std::lock_guard<std::mutex> held(mutex);
#endif
    Object outer;
    pthread_cleanup_push(handle, nullptr);
    leave();
    pthread_cleanup_pop(0);
}
#elif CASE == 2 // Somebody catches what unwinds the stack. It has to go on.
static void start() {
    Object outer;
    try {
        leave();
    } catch (abi::__forced_unwind &) {
        handled++;
        throw;
    } catch (...) {
        assert(false);
    }
}
#elif CASE == 3
static void start() {
    try {
        leave();
    } catch (...) {
#ifndef BROKEN
        objects++;
        handled++;
        throw;
#endif
    }
}
#elif CASE == 4 // What is run once is left to the next one.
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void run() {
    if (handled++ == 0)
        leave();
}

static void start() {
    Object outer;
    pthread_once(&once, run);
#ifndef BROKEN
    objects++;
#endif
}
#endif

static void *start_as_thread(void *) {
    start();
    return nullptr;
}

int main() {
    pthread_t one, other;
    pthread_create(&one, nullptr, start_as_thread, nullptr);
    pthread_join(one, nullptr);
    pthread_create(&other, nullptr, start_as_thread, nullptr);
    pthread_join(other, nullptr);
    assert(objects == 4 && handled == 2);
}
