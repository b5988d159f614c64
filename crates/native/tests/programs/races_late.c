/* Two threads count for themselves for a while, and take a lock several times. What the first one has written before that the second
   one reads at the end, if it has taken the lock behind the first one; or if it RACES, if it has not. */
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int counted[2], relaxed;
static int value, given;

static void count(int thread) {
    for (int i = 0; i < 16; i++)
        counted[thread]++;
}

static void *writes(void *unused) {
    value = 1;
    count(0);
    for (int i = 0; i < 4; i++) {
        pthread_mutex_lock(&lock);
        given++;
        pthread_mutex_unlock(&lock);
    }
    atomic_store_explicit(&relaxed, 1, memory_order_relaxed);
    return unused;
}

static void *reads(void *unused) {
    int seen;
    count(1);
    for (int i = 0; i < 4; i++) {
        pthread_mutex_lock(&lock);
        seen = given;
        pthread_mutex_unlock(&lock);
    }
    int late = atomic_load_explicit(&relaxed, memory_order_relaxed);
#ifdef RACES
    seen = !seen;
#endif
    if (seen && late)
        seen = value;
    return unused;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], 0, writes, 0);
    pthread_create(&threads[1], 0, reads, 0);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    return 0;
}
