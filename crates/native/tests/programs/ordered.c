/* One thread writes data, another one reads it, and one thing alone puts the two in order: which one, CASE says. BROKEN: the
   thing is there, but does not put them in order. */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static int data, sum;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static pthread_barrier_t barrier;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static sem_t semaphore;
static atomic_int flag;
static int turn;

static void put(void) {
    data = 1;
}

static void get(void) {
    sum += data;
}

#if CASE == 1 /* A mutex. */
static void give(void) {
    put();
    pthread_mutex_lock(&mutex);
    turn = 1;
    pthread_mutex_unlock(&mutex);
}
static void take(void) {
    pthread_mutex_lock(&mutex);
    int there = turn;
    pthread_mutex_unlock(&mutex);
#ifdef BROKEN
    there = 1;
#endif
    if (there)
        get();
}
#elif CASE == 2 /* Being woken. */
static void give(void) {
    put();
    pthread_cond_signal(&condition);
}
static void take(void) {
    pthread_mutex_lock(&mutex);
#ifdef BROKEN
    struct timespec never = {0, 0};
    pthread_cond_timedwait(&condition, &mutex, &never);
#else
    pthread_cond_wait(&condition, &mutex);
#endif
    pthread_mutex_unlock(&mutex);
    get();
}
#elif CASE == 3 /* Being woken with all others. */
static void give(void) {
    put();
    pthread_cond_broadcast(&condition);
}
static void take(void) {
    pthread_mutex_lock(&mutex);
#ifdef BROKEN
    struct timespec never = {0, 0};
    pthread_cond_timedwait(&condition, &mutex, &never);
#else
    pthread_cond_wait(&condition, &mutex);
#endif
    pthread_mutex_unlock(&mutex);
    get();
}
#elif CASE == 4 /* A semaphore. */
static void give(void) {
    put();
    sem_post(&semaphore);
}
static void take(void) {
#ifdef BROKEN
    sem_trywait(&semaphore);
#else
    sem_wait(&semaphore);
#endif
    get();
}
#elif CASE == 5 /* A semaphore that is tried. */
static void give(void) {
    put();
    sem_post(&semaphore);
}
static void take(void) {
    int there = sem_trywait(&semaphore) == 0;
#ifdef BROKEN
    there = 1;
#endif
    if (there)
        get();
}
#elif CASE == 6 /* A barrier. */
static void give(void) {
#ifdef BROKEN
    pthread_barrier_wait(&barrier);
    put();
#else
    put();
    pthread_barrier_wait(&barrier);
#endif
}
static void take(void) {
    pthread_barrier_wait(&barrier);
    get();
}
#elif CASE == 7 /* Having written under a lock before somebody reads. */
static void give(void) {
    put();
    pthread_rwlock_wrlock(&lock);
    turn = 1;
    pthread_rwlock_unlock(&lock);
}
static void take(void) {
    pthread_rwlock_rdlock(&lock);
    int there = turn;
    pthread_rwlock_unlock(&lock);
#ifdef BROKEN
    there = 1;
#endif
    if (there)
        get();
}
#elif CASE == 8 /* Having read under a lock before somebody writes. Who only reads, too, does not come behind it. */
static void give(void) {
    put();
    pthread_rwlock_rdlock(&lock);
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    pthread_rwlock_unlock(&lock);
}
static void take(void) {
#ifdef BROKEN
    pthread_rwlock_rdlock(&lock);
#else
    pthread_rwlock_wrlock(&lock);
#endif
    int there = atomic_load_explicit(&flag, memory_order_relaxed);
    pthread_rwlock_unlock(&lock);
    if (there)
        get();
}
#elif CASE == 9 /* A lock that is tried. */
static void give(void) {
    put();
    pthread_mutex_lock(&mutex);
    turn = 1;
    pthread_mutex_unlock(&mutex);
}
static void take(void) {
    int there = 0;
    if (pthread_mutex_trylock(&mutex) == 0) {
        there = turn;
        pthread_mutex_unlock(&mutex);
    }
#ifdef BROKEN
    there = 1;
#endif
    if (there)
        get();
}
#elif CASE == 10 /* A spin lock. */
static void give(void) {
    put();
    pthread_spin_lock(&spin);
    turn = 1;
    pthread_spin_unlock(&spin);
}
static void take(void) {
    pthread_spin_lock(&spin);
    int there = turn;
    pthread_spin_unlock(&spin);
#ifdef BROKEN
    there = 1;
#endif
    if (there)
        get();
}
#elif CASE == 11 /* What is done once. */
static void give(void) {
#ifdef BROKEN
    put();
#endif
    pthread_once(&once, put);
}
static void take(void) {
    pthread_once(&once, put);
    get();
}
#elif CASE == 12 /* Releasing and acquiring. */
static void give(void) {
    put();
#ifdef BROKEN
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
#else
    atomic_store_explicit(&flag, 1, memory_order_release);
#endif
}
static void take(void) {
    if (atomic_load_explicit(&flag, memory_order_acquire))
        get();
}
#elif CASE == 13 /* The same the other way round: what is broken is the reader. */
static void give(void) {
    put();
    atomic_store_explicit(&flag, 1, memory_order_release);
}
static void take(void) {
#ifdef BROKEN
    if (atomic_load_explicit(&flag, memory_order_relaxed))
#else
    if (atomic_load_explicit(&flag, memory_order_acquire))
#endif
        get();
}
#elif CASE == 14 /* Fences. */
static void give(void) {
    put();
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
}
static void take(void) {
    int there = atomic_load_explicit(&flag, memory_order_relaxed);
#ifndef BROKEN
    atomic_thread_fence(memory_order_acquire);
#endif
    if (there)
        get();
}
#elif CASE == 16 /* A lock made of an atomic variable: taking it releases, too, but not what is done behind it. */
static void lock_flag(void) {
    int free = 0;
    while (!atomic_compare_exchange_strong(&flag, &free, 1))
        free = 0;
}
static void give(void) {
    lock_flag();
    put();
#ifdef BROKEN
    atomic_fetch_sub_explicit(&flag, 1, memory_order_relaxed);
#else
    atomic_fetch_sub_explicit(&flag, 1, memory_order_release);
#endif
}
static void take(void) {
    lock_flag();
    get();
    atomic_store_explicit(&flag, 0, memory_order_release);
}
#elif CASE == 15 /* The beginning of a thread, and its end. */
static void give(void) {
    data++;
}
static void take(void) {}
#endif

static void *giver(void *unused) {
    give();
    return unused;
}

static void *taker(void *unused) {
    take();
    return unused;
}

int main(void) {
    pthread_t one, other;
    pthread_spin_init(&spin, 0);
    pthread_barrier_init(&barrier, 0, 2);
    sem_init(&semaphore, 0, 0);
    pthread_create(&other, 0, taker, 0);
#if CASE == 15
    put();
#endif
    pthread_create(&one, 0, giver, 0);
#if CASE == 15 && !defined BROKEN
    pthread_join(one, 0);
    get();
#elif CASE == 15
    get();
    pthread_join(one, 0);
#else
    pthread_join(one, 0);
#endif
    pthread_join(other, 0);
    return 0;
}
