/* Loops that look in vain, which reductions do not follow. CASE says what there is to be found. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y, seen;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

#if CASE == 1
/* Nobody writes what it waits for, though others write what it looks at: it looks for ever. */
static void *first(void *unused) {
    while (!(atomic_load(&x) & (atomic_load(&y) == 2)))
        ;
    return unused;
}
static void *second(void *unused) {
    atomic_store(&y, 1);
    atomic_store(&x, 1);
    return unused;
}
#elif CASE == 2
/* While it looks, it has the lock, and others may notice that. */
static void *first(void *unused) {
    for (;;) {
        pthread_mutex_lock(&lock);
        int stop = atomic_load(&y);
        pthread_mutex_unlock(&lock);
        if (stop)
            break;
    }
    assert(!"somebody has noticed");
    return unused;
}
static void *second(void *unused) {
    if (pthread_mutex_trylock(&lock) != 0)
        atomic_store(&y, 1);
    return unused;
}
#elif CASE == 3
/* What it finds in the end depends on when it looks: between two writes, or behind both. */
static void *first(void *unused) {
    int found;
    while (!(found = atomic_load(&x)))
        ;
    assert(found != 1 || !atomic_load(&seen));
    return unused;
}
static void *second(void *unused) {
    atomic_store(&x, 1);
    atomic_store(&seen, 1);
    atomic_store(&x, 2);
    return unused;
}
#else
/* Whoever takes the flag has it alone. */
static int inside;
static void enter(void) {
    int free = 0;
    while (!atomic_compare_exchange_strong(&x, &free, 1))
        free = 0;
}
static void *first(void *unused) {
    enter();
    inside++;
    assert(inside == 1);
    inside--;
    atomic_store(&x, 0);
    return unused;
}
#define second first
#endif

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
