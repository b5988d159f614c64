//! clean
//! found race -DBROKEN
// A flag asks a worker to stop; the worker's last result is read after it was joined.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int stop;
static int rounds;

static void *work(void *_) {
    for (int i = 0; i < 2 && !stop; i++)
        rounds++;
    return 0;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    stop = 1;
#ifdef BROKEN
    int seen = rounds;
    pthread_join(a, 0);
#else
    pthread_join(a, 0);
    int seen = rounds;
#endif
    return seen > 2;
}
