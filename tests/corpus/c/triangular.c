//! clean
//! found assertion -DBOUND=9
// Two threads add to each other's number: five rounds reach the twelfth Fibonacci-like bound only in one order.
#include <assert.h>
#include <pthread.h>
#ifndef BOUND
#define BOUND 10
#endif
static int i = 3, j = 6;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *first(void *arg) {
    for (int k = 0; k < 2; k++) {
        pthread_mutex_lock(&lock);
        i = j + 1;
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

static void *second(void *arg) {
    for (int k = 0; k < 2; k++) {
        pthread_mutex_lock(&lock);
        j = i + 1;
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    // The highest is j, i, j, i: 4, 5, 6, 7 if second begins; i, j, i, j: 7, 8, 9, 10 if first does.
    assert(i <= BOUND && j <= BOUND);
}
