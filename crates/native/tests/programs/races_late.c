/* Two threads count for themselves for a while. What the first one has written before that the second one reads behind it: in some
   executions after it has taken the lock behind the first one, and if it RACES in others without that. */
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
    atomic_fetch_add_explicit(&relaxed, 1, memory_order_relaxed);
    pthread_mutex_lock(&lock);
    given = 1;
    pthread_mutex_unlock(&lock);
    count(0);
    pthread_mutex_lock(&lock);
    given++;
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *reads(void *unused) {
    int seen;
    count(1);
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&lock);
        seen = given;
        pthread_mutex_unlock(&lock);
    }
    atomic_fetch_add_explicit(&relaxed, 1, memory_order_relaxed);
#ifdef RACES
    seen = value;
#else
    if (seen)
        seen = value;
#endif
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
