//! clean
//! found race -DBROKEN
// A worker looks at a plain flag that main sets once; the repair makes it atomic.
#include <pthread.h>
#include <stdatomic.h>

#ifdef BROKEN
static int done;
#else
static atomic_int done;
#endif
static int looked;

static void *worker(void *_) {
    if (done)
        looked = 1;
    return 0;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, worker, 0);
    done = 1;
    pthread_join(a, 0);
}
