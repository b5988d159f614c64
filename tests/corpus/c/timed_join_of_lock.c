//! clean
//! found deadlock -DBROKEN
// C11's lock with a time-out ends a cycle of two locks. Broken: both threads wait for ever.
#include <threads.h>
#include <time.h>

static mtx_t first, second;

static int take(mtx_t *one, mtx_t *other) {
    mtx_lock(one);
#ifdef BROKEN
    int taken = mtx_lock(other);
#else
    struct timespec until;
    timespec_get(&until, TIME_UTC);
    until.tv_sec++;
    int taken = mtx_timedlock(other, &until);
#endif
    if (taken == thrd_success)
        mtx_unlock(other);
    mtx_unlock(one);
    return 0;
}

static int work(void *unused) {
    (void)unused;
    return take(&first, &second);
}

int main(void) {
    mtx_init(&first, mtx_timed);
    mtx_init(&second, mtx_timed);
    thrd_t thread;
    thrd_create(&thread, work, NULL);
    take(&second, &first);
    thrd_join(thread, NULL);
}
