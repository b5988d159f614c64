//! clean
//! found assertion -DBROKEN
// Readers count themselves in one of two counters; the writer flips and waits. Broken: it does not wait.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int idx, counter[2] = {1, 0}, reading, freed;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *reader(void *arg) {
    for (;;) {
        int mine = idx, seen = counter[mine];
        if (seen > 0 && atomic_compare_exchange_strong(&counter[mine], &seen, seen + 1)) {
            assert(!freed || mine != 0);
            counter[mine]--;
            return arg;
        }
    }
}

static void *updater(void *arg) {
    pthread_mutex_lock(&lock);
    counter[1]++;
    idx = 1;
    counter[0]--;
#ifndef BROKEN
    while (counter[0] > 0)
        ;
#endif
    freed = 1;
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_t r, u;
    pthread_create(&r, 0, reader, 0);
    pthread_create(&u, 0, updater, 0);
    pthread_join(r, 0);
    pthread_join(u, 0);
    (void)reading;
}
