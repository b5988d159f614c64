// Two threads pay into an account and draw from it. -DBROKEN: one of them looks at the balance before it takes the lock.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int balance = 100;

void *pay_in(void *unused) {
    pthread_mutex_lock(&lock);
    balance = balance + 50;
    pthread_mutex_unlock(&lock);
    return unused;
}

void *draw(void *unused) {
#ifdef BROKEN
    int before = balance;
    pthread_mutex_lock(&lock);
#else
    pthread_mutex_lock(&lock);
    int before = balance;
#endif
    balance = before - 30;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, pay_in, 0);
    pthread_create(&b, 0, draw, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(balance == 120);
    return 0;
}
