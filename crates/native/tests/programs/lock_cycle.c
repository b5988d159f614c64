// Threads that wait for each other's locks while others go on: each CASE is a way to close the cycle. With FIXED the same locks are
// taken in one order.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t told = PTHREAD_COND_INITIALIZER;
static pthread_spinlock_t spin;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static atomic_int ticks, ready;
static int tells;

#ifdef FIXED
#define SECOND_FIRST a
#define SECOND_THEN b
#else
#define SECOND_FIRST b
#define SECOND_THEN a
#endif

static void *tick(void *unused) {
    for (int i = 0; i < 2; i++) ticks++;
    return unused;
}

#if CASE == 0 || CASE == 1 || CASE == 2  // two mutexes: behind a thread that ticks, a main that returns, or a main that calls exit
static void *first(void *unused) {
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return unused;
}
static void *second(void *unused) {
    pthread_mutex_lock(&SECOND_FIRST);
    pthread_mutex_lock(&SECOND_THEN);
    pthread_mutex_unlock(&SECOND_THEN);
    pthread_mutex_unlock(&SECOND_FIRST);
    return unused;
}
#elif CASE == 3  // a mutex locked twice by its holder
static void *first(void *unused) {
    pthread_mutex_lock(&a);
#ifndef FIXED
    pthread_mutex_lock(&a);
#endif
    pthread_mutex_unlock(&a);
    return unused;
}
#define second tick
#elif CASE == 4  // a reader that wants to write
static void *first(void *unused) {
    pthread_rwlock_rdlock(&shared);
#ifdef FIXED
    pthread_rwlock_unlock(&shared);
#endif
    pthread_rwlock_wrlock(&shared);
    pthread_rwlock_unlock(&shared);
    return unused;
}
#define second tick
#elif CASE == 5  // a reader and a mutex
static void *first(void *unused) {
    pthread_rwlock_rdlock(&shared);
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_rwlock_unlock(&shared);
    return unused;
}
static void *second(void *unused) {
#ifdef FIXED
    pthread_rwlock_wrlock(&shared);
    pthread_mutex_lock(&a);
#else
    pthread_mutex_lock(&a);
    pthread_rwlock_wrlock(&shared);
#endif
    pthread_mutex_unlock(&a);
    pthread_rwlock_unlock(&shared);
    return unused;
}
#elif CASE == 6  // the end of a thread that waits for the lock of who joins it
static void *inner(void *unused) {
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    return unused;
}
static void *first(void *unused) {
    pthread_t thread;
    pthread_mutex_lock(&a);
    pthread_create(&thread, 0, inner, 0);
#ifdef FIXED
    pthread_mutex_unlock(&a);
#endif
    pthread_join(thread, 0);
#ifndef FIXED
    pthread_mutex_unlock(&a);
#endif
    return unused;
}
#define second tick
#elif CASE == 7  // a signal sends a thread that holds a mutex to another one
static void *first(void *unused) {
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    ready = 1;
    while (!tells) pthread_cond_wait(&told, &b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return unused;
}
static void *second(void *unused) {
#ifdef FIXED
    pthread_mutex_lock(&b);
    tells = 1;
    pthread_cond_signal(&told);
    pthread_mutex_unlock(&b);
#else
    pthread_mutex_lock(&b);
    tells = 1;
    pthread_cond_signal(&told);
    if (ready) {
        pthread_mutex_lock(&a);
        pthread_mutex_unlock(&a);
    }
    pthread_mutex_unlock(&b);
#endif
    return unused;
}
#elif CASE == 8  // the holder has ended
static void *first(void *unused) {
    pthread_mutex_lock(&a);
#ifdef FIXED
    pthread_mutex_unlock(&a);
#endif
    return unused;
}
static void *second(void *unused) {
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    return unused;
}
#elif CASE == 9  // spin locks and mutexes
static void *first(void *unused) {
    pthread_spin_lock(&spin);
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_spin_unlock(&spin);
    return unused;
}
static void *second(void *unused) {
#ifdef FIXED
    pthread_spin_lock(&spin);
    pthread_mutex_lock(&a);
#else
    pthread_mutex_lock(&a);
    pthread_spin_lock(&spin);
#endif
    pthread_mutex_unlock(&a);
    pthread_spin_unlock(&spin);
    return unused;
}
#elif CASE == 10  // what runs once takes a mutex
static void initialise(void) {
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
}
static void *first(void *unused) {
    pthread_once(&once, initialise);
    return unused;
}
static void *second(void *unused) {
#ifdef FIXED
    pthread_once(&once, initialise);
#endif
    pthread_mutex_lock(&a);
#ifndef FIXED
    pthread_once(&once, initialise);
#endif
    pthread_mutex_unlock(&a);
    return unused;
}
#elif CASE == 13  // a reader behind a writer that waits for the reader
static void *first(void *unused) {
    pthread_rwlock_rdlock(&shared);
#ifndef FIXED
    pthread_rwlock_rdlock(&shared);
    pthread_rwlock_unlock(&shared);
#endif
    pthread_rwlock_unlock(&shared);
    return unused;
}
static void *second(void *unused) {
    pthread_rwlock_wrlock(&shared);
    pthread_rwlock_unlock(&shared);
    return unused;
}
#elif CASE == 14  // a signal of a third thread sends a thread that holds a mutex to one that is taken
static void *first(void *unused) {
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    ready = 1;
    pthread_cond_wait(&told, &b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return unused;
}
static void *second(void *unused) {
    pthread_mutex_lock(&b);
#ifdef FIXED
    pthread_mutex_unlock(&b);
#endif
    if (ready) {
        pthread_mutex_lock(&a);
        pthread_mutex_unlock(&a);
    }
#ifndef FIXED
    pthread_mutex_unlock(&b);
#endif
    return unused;
}
#elif CASE == 11  // no cycle: one of the two gives up
static void *first(void *unused) {
    pthread_mutex_lock(&a);
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec++;
    if (pthread_mutex_timedlock(&b, &until) == 0) pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return unused;
}
static void *second(void *unused) {
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return unused;
}
#elif CASE == 12  // no cycle: another thread signals, and whose turn it is is no lock
static void *first(void *unused) {
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    while (!tells) pthread_cond_wait(&told, &b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return unused;
}
static void *second(void *unused) {
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    return unused;
}
#endif

int main(void) {
    pthread_t threads[3];
    pthread_spin_init(&spin, 0);
#if CASE == 13
    pthread_rwlockattr_t attribute;
    pthread_rwlockattr_init(&attribute);
    pthread_rwlockattr_setkind_np(&attribute, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
    pthread_rwlock_init(&shared, &attribute);
#endif
    pthread_create(&threads[0], 0, first, 0);
    pthread_create(&threads[1], 0, second, 0);
#if CASE == 1
    return 0;
#elif CASE == 2
    ticks++;
    return 0;
#elif CASE == 14
    pthread_cond_signal(&told);
    return 0;
#elif CASE == 12
    pthread_mutex_lock(&b);
    tells = 1;
    pthread_cond_signal(&told);
    pthread_mutex_unlock(&b);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    return 0;
#else
    // A thread that goes on: it ends, and so does the program.
    pthread_create(&threads[2], 0, tick, 0);
    pthread_join(threads[2], 0);
    return 0;
#endif
}
