//! clean
//! found deadlock -DBROKEN
//! found deadlock {--search dpor} -DBROKEN
//! found deadlock {--search dfs} -DBROKEN
// The main thread spins until two others are done; broken: these take two locks in opposite orders.
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static atomic_int done;

static void both(pthread_mutex_t *first, pthread_mutex_t *second) {
    pthread_mutex_lock(first);
    pthread_mutex_lock(second);
    pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
    done++;
}

static void *one(void *unused) {
    both(&a, &b);
    return unused;
}

static void *other(void *unused) {
#ifdef BROKEN
    both(&b, &a);
#else
    both(&a, &b);
#endif
    return unused;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], 0, one, 0);
    pthread_create(&threads[1], 0, other, 0);
    while (done != 2)
        ;
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
}
