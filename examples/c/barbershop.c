// A barber's shop with a door, chairs and a till (after Dijkstra 1965; RGDS 2007 searches one with 5 to 25 customers). Barber and customers
// meet at semaphores, which are functions. Inside of them, only the calls that a thread is in tell where it goes next. -DBROKEN: a
// customer says that it came before it has sat down, so that the barber may find an empty chair. The door opens when everybody is there.
#include <assert.h>
#include <pthread.h>

#ifndef CUSTOMERS
#define CUSTOMERS 3
#endif
#ifndef CHAIRS
#define CHAIRS 2
#endif

struct semaphore {
    pthread_mutex_t lock;
    pthread_cond_t raised;
    int count;
};

#define SEMAPHORE {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0}

struct semaphore came = SEMAPHORE, called = SEMAPHORE, paid = SEMAPHORE, receipt = SEMAPHORE;
pthread_mutex_t door = PTHREAD_MUTEX_INITIALIZER, chairs = PTHREAD_MUTEX_INITIALIZER;
int seated, closed, served, turned_away;

void down(struct semaphore *semaphore) {
    pthread_mutex_lock(&semaphore->lock);
    while (semaphore->count == 0)
        pthread_cond_wait(&semaphore->raised, &semaphore->lock);
    semaphore->count--;
    pthread_mutex_unlock(&semaphore->lock);
}

void up(struct semaphore *semaphore) {
    pthread_mutex_lock(&semaphore->lock);
    semaphore->count++;
    pthread_cond_signal(&semaphore->raised);
    pthread_mutex_unlock(&semaphore->lock);
}

int change_seated(int by) {
    pthread_mutex_lock(&chairs);
    int before = seated;
    seated += by;
    pthread_mutex_unlock(&chairs);
    return before;
}

int enter(void) {
    pthread_mutex_lock(&door);
    int stays = change_seated(0) < CHAIRS;
    if (stays) {
#ifdef BROKEN
        up(&came);
        change_seated(1);
#else
        change_seated(1);
        up(&came);
#endif
    } else {
        turned_away++;
    }
    pthread_mutex_unlock(&door);
    return stays;
}

void *customer(void *unused) {
    if (enter()) {
        down(&called);
        up(&paid);
        down(&receipt);
    }
    return unused;
}

void *barber(void *unused) {
    for (;;) {
        down(&came);
        if (closed)
            return unused;
        int waiting = change_seated(-1);
        assert(waiting > 0);
        up(&called);
        down(&paid);
        served++;
        up(&receipt);
    }
}

int main(void) {
    pthread_t him, them[CUSTOMERS];
    pthread_mutex_lock(&door);
    pthread_create(&him, 0, barber, 0);
    for (int i = 0; i < CUSTOMERS; i++)
        pthread_create(&them[i], 0, customer, 0);
    pthread_mutex_unlock(&door);
    for (int i = 0; i < CUSTOMERS; i++)
        pthread_join(them[i], 0);
    closed = 1;
    up(&came);
    pthread_join(him, 0);
    assert(served + turned_away == CUSTOMERS);
    return 0;
}
