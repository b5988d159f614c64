// A thread waits for a flag in a loop that takes a lock to look at it. -DBROKEN: nobody sets it.
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int done;

void *finish(void *unused) {
    pthread_mutex_lock(&lock);
#ifndef BROKEN
    done = 1;
#endif
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t other;
    int seen = 0;
    pthread_create(&other, 0, finish, 0);
    while (!seen) {
        pthread_mutex_lock(&lock);
        seen = done;
        pthread_mutex_unlock(&lock);
    }
    pthread_join(other, 0);
    return 0;
}
