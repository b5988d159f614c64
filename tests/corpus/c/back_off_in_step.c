//! clean
//! clean -DPOLITE
// Two threads take two locks in opposite order, and give up if the second one is taken. In step with each other they could go on for
// ever, but another schedule lets them finish.
#include <pthread.h>
#include <sched.h>

static pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static void *worker(void *arg) {
    long me = (long)arg;
    for (;;) {
        pthread_mutex_lock(&locks[me]);
        if (pthread_mutex_trylock(&locks[1 - me]) == 0)
            break;
        pthread_mutex_unlock(&locks[me]);
#ifdef POLITE
        sched_yield();
#endif
    }
    pthread_mutex_unlock(&locks[1 - me]);
    pthread_mutex_unlock(&locks[me]);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, worker, (void *)0L);
    pthread_create(&b, 0, worker, (void *)1L);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
