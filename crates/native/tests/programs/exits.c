// A thread ends the program while main waits for it to end, and others live on.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int flag, early;

static void handler(void) {
#ifdef BROKEN
    assert(!early);
#endif
}

static void *leaves(void *unused) {
    if (flag) {
        early = 1;
        exit(0);
    }
    return 0;
}

static void *raises(void *unused) {
    flag = 1;
    return 0;
}

int main(void) {
    pthread_t threads[2];
    atexit(handler);
    pthread_create(&threads[0], 0, leaves, 0);
    pthread_create(&threads[1], 0, raises, 0);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    return 0;
}
