/* Threads are created without end. Each works on its own, unless BROKEN: then each takes a number, and two can have the same. */
#include <assert.h>
#include <pthread.h>

static int next;

static void *work(void *unused) {
#ifdef BROKEN
    int own = next;
    next = own + 1;
    assert(next == own + 1);
#else
    (void)next;
#endif
    return unused;
}

int main(void) {
    for (;;) {
        pthread_t thread;
        pthread_create(&thread, 0, work, 0);
    }
}
