// Two threads wait, one signal wakes one of them: which one is a choice.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t turn = PTHREAD_COND_INITIALIZER, both = PTHREAD_COND_INITIALIZER;
int waiting, first, woken, turns;

void *waiter(void *argument) {
    pthread_mutex_lock(&lock);
    if (waiting == 0)
        first = (int)(long)argument;
    waiting++;
    pthread_cond_signal(&both);
    while (!turns)
        pthread_cond_wait(&turn, &lock);
    if (!woken)
        assert(first == (int)(long)argument);
    woken++;
    pthread_cond_signal(&turn);
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t threads[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, waiter, (void *)i);
    pthread_mutex_lock(&lock);
    while (waiting < 2)
        pthread_cond_wait(&both, &lock);
    turns = 1;
    pthread_cond_signal(&turn);
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
    return 0;
}
