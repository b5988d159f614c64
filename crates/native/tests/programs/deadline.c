// A thread looks again and again for a flag, until a second has passed. If BROKEN, it expects that it sees the flag.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

static atomic_int flag;

static long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

static void *raise_flag(void *unused) {
    flag = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, raise_flag, 0);
    long end = now() + 1000;
    int seen;
    while (!(seen = flag) && now() < end)
        ;
#ifdef BROKEN
    assert(seen);
#endif
    pthread_join(thread, 0);
    return 0;
}
