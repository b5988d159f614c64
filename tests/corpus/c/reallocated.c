//! clean
//! found memory|race -DBROKEN
// A growing array under a lock. Broken: a reader keeps the old address.
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *numbers;

static void *grow(void *unused) {
    pthread_mutex_lock(&lock);
    numbers = realloc(numbers, 4096 * sizeof *numbers);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    numbers = calloc(1, sizeof *numbers);
    pthread_t thread;
    pthread_create(&thread, NULL, grow, NULL);
    pthread_mutex_lock(&lock);
#ifdef BROKEN
    int *kept = numbers;
    pthread_mutex_unlock(&lock);
    int seen = kept[0];
#else
    int seen = numbers[0];
    pthread_mutex_unlock(&lock);
#endif
    pthread_join(thread, NULL);
    free(numbers);
    return seen;
}
