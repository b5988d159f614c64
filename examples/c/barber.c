// The sleeping barber (Dijkstra 1965; a subject of Rungta & Mercer 2007). A customer sits down if there is a chair, and otherwise
// leaves. The barber sleeps while no customer waits. -DBROKEN: the barber looks for customers, and only then takes the lock to
// fall asleep. A customer that comes in between does not wake him.
#include <assert.h>
#include <pthread.h>

#ifndef CUSTOMERS
#define CUSTOMERS 2
#endif
#ifndef CHAIRS
#define CHAIRS 1
#endif

pthread_mutex_t shop = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t somebody_came = PTHREAD_COND_INITIALIZER, somebody_is_done = PTHREAD_COND_INITIALIZER;
int waiting, to_come = CUSTOMERS, cut, left;

void *barber(void *unused) {
    for (;;) {
#ifdef BROKEN
        pthread_mutex_lock(&shop);
        int idle = waiting == 0 && to_come > 0;
        pthread_mutex_unlock(&shop);
        pthread_mutex_lock(&shop);
        if (idle)
            pthread_cond_wait(&somebody_came, &shop);
#else
        pthread_mutex_lock(&shop);
        while (waiting == 0 && to_come > 0)
            pthread_cond_wait(&somebody_came, &shop);
#endif
        if (waiting == 0 && to_come == 0) {
            pthread_mutex_unlock(&shop);
            return unused;
        }
        if (waiting > 0) {
            waiting--;
            cut++;
            pthread_cond_broadcast(&somebody_is_done);
        }
        pthread_mutex_unlock(&shop);
    }
}

void *customer(void *unused) {
    pthread_mutex_lock(&shop);
    to_come--;
    if (waiting == CHAIRS) {
        left++;
        pthread_cond_signal(&somebody_came);
    } else {
        int turn = cut + ++waiting;
        pthread_cond_signal(&somebody_came);
        while (cut < turn)
            pthread_cond_wait(&somebody_is_done, &shop);
    }
    pthread_mutex_unlock(&shop);
    return unused;
}

int main(void) {
    pthread_t him, them[CUSTOMERS];
    pthread_create(&him, 0, barber, 0);
    for (int i = 0; i < CUSTOMERS; i++)
        pthread_create(&them[i], 0, customer, 0);
    for (int i = 0; i < CUSTOMERS; i++)
        pthread_join(them[i], 0);
    pthread_join(him, 0);
    assert(cut + left == CUSTOMERS && waiting == 0);
    return 0;
}
