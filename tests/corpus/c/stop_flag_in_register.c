//! clean
//! found race -DBROKEN
// A worker goes on until a flag tells it to stop. Broken: the flag is plain.
#include <pthread.h>
#include <stdatomic.h>

#ifdef BROKEN
static int stop;
#else
static atomic_int stop;
#endif
static atomic_int rounds;

static void *work(void *unused) {
    for (int round = 0; round < 3 && !stop; round++)
        rounds++;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    stop = 1;
    pthread_join(thread, NULL);
    return rounds > 3;
}
