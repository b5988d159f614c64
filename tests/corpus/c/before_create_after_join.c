//! clean
//! found race -DAFTER_CREATE
//! found race -DBEFORE_JOIN
//! found race -DOTHER_JOINED
// Creating and joining a thread order what is before and behind them, and nothing else does.
#include <pthread.h>

static int value;

static void *work(void *unused) {
    value++;
    return unused;
}

static void *idle(void *unused) {
    return unused;
}

int main(void) {
    pthread_t worker, other;
    value = 1;
    pthread_create(&other, NULL, idle, NULL);
    pthread_create(&worker, NULL, work, NULL);
#ifdef AFTER_CREATE
    value = 2;
#endif
    pthread_join(other, NULL);
#ifdef OTHER_JOINED
    value++;
#endif
#ifdef BEFORE_JOIN
    int seen = value;
    pthread_join(worker, NULL);
    return seen == 5;
#else
    pthread_join(worker, NULL);
    return value == 5;
#endif
}
