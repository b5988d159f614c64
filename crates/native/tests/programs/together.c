/* Threads that look until they may begin, or need what is made once, and then add under a lock: what
   they have waited for does not multiply their executions. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define THREADS 3
#define ROUNDS 2

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sum;

#if defined(LOOKS)
static atomic_int open;
static void begin(void) {
    while (!atomic_load(&open))
        ;
}
static void let_begin(void) { atomic_store(&open, 1); }
#elif defined(ONCE)
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int made;
static void make(void) { made = 1; }
static void begin(void) {
    pthread_once(&once, make);
    assert(made);
}
static void let_begin(void) {}
#endif

static void *add(void *unused) {
    begin();
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&lock);
        sum++;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

int main(void) {
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, add, 0);
    let_begin();
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
    assert(sum == THREADS * ROUNDS);
    return 0;
}
