//! clean
//! found hang|livelock|assertion|deadlock -DBROKEN
// A barrier of atomics that is used twice. Broken: it has no sense flag, and the count is reset by the last to come.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int arrived, sense;

static void await(int *mine) {
#ifdef BROKEN
    (void)mine;
    if (atomic_fetch_add(&arrived, 1) == 1)
        arrived = 0;
    else
        while (arrived != 0)
            ;
#else
    *mine = !*mine;
    if (atomic_fetch_add(&arrived, 1) == 1) {
        arrived = 0;
        sense = *mine;
    } else {
        while (sense != *mine)
            ;
    }
#endif
}

static void *work(void *unused) {
    int mine = 0;
    await(&mine);
    await(&mine);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    work(NULL);
    pthread_join(thread, NULL);
}
