//! clean
//! found assertion -DBROKEN
// Two transfers and a deposit; without the lock a deposit can be lost.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int balance = 10;

static void change(int by) {
#ifndef BROKEN
    pthread_mutex_lock(&lock);
#endif
    int seen = balance;
    balance = seen + by;
#ifndef BROKEN
    pthread_mutex_unlock(&lock);
#endif
}

static void *deposit(void *_) { change(5); return 0; }
static void *withdraw(void *_) { change(-3); return 0; }

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, deposit, 0);
    pthread_create(&b, 0, withdraw, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(balance == 12);
}
