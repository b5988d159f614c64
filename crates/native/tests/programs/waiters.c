// Two threads wait, one signal wakes one of them: which one is a choice. -DBROKEN: it is taken to be the first.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
int waiting, order[2], woken, go;

void *waiter(void *argument) {
    pthread_mutex_lock(&lock);
    order[waiting++] = (int)(long)argument;
    while (!go)
        pthread_cond_wait(&condition, &lock);
    go--;
    if (!woken++)
        assert(waiting < 2 || order[0] == (int)(long)argument);
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t threads[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, waiter, (void *)i);
    pthread_mutex_lock(&lock);
    while (waiting < 2) {
        pthread_mutex_unlock(&lock);
        pthread_mutex_lock(&lock);
    }
    go = 1;
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    go++;
    pthread_cond_broadcast(&condition);
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
    return 0;
}
