/* A thread raises a flag, and takes it back as long as another one is raised: nobody takes that one back. If SEEN, somebody does who
   has not seen the first one raised; if LEAVES, nobody waits for the thread. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int own, other = 1, beside;

static void *enter(void *unused) {
    for (;;) {
        own = 1;
        if (!other)
            break;
        own = 0;
    }
    return unused;
}

#ifdef SEEN
static void *lower(void *unused) {
    if (!own)
        other = 0;
    return unused;
}
#endif

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], 0, enter, 0);
#ifdef SEEN
    pthread_create(&threads[1], 0, lower, 0);
#endif
    beside = 1;
    beside = 2;
#ifdef SEEN
    pthread_join(threads[1], 0);
#endif
#ifdef LEAVES
    return 3;
#else
    pthread_join(threads[0], 0);
    return 0;
#endif
}
