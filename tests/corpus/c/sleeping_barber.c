//! clean
//! found deadlock -DBROKEN
// The barber sleeps until a customer comes. Broken: the barber looks for customers before it takes the lock.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t came = PTHREAD_COND_INITIALIZER;
static _Atomic int customers;

static void *barber(void *unused) {
#ifdef BROKEN
    int empty = customers == 0;
    pthread_mutex_lock(&lock);
    if (empty)
        pthread_cond_wait(&came, &lock);
#else
    pthread_mutex_lock(&lock);
    while (customers == 0)
        pthread_cond_wait(&came, &lock);
#endif
    customers--;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, barber, NULL);
    pthread_mutex_lock(&lock);
    customers++;
    pthread_cond_signal(&came);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
}
