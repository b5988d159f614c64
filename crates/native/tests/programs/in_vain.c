// Two threads take what one gives, and wait until a moment that has passed.
#include <assert.h>
#include <pthread.h>
#include <time.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int items, taken;

void *give(void *unused) {
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&lock);
        items++;
        pthread_cond_signal(&changed);
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

void *take(void *unused) {
    pthread_mutex_lock(&lock);
    while (items == 0) {
        struct timespec moment = {5, 0};
        if (pthread_cond_timedwait(&changed, &lock, &moment) != 0)
            continue;
    }
    items--;
    taken++;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t threads[3];
    pthread_create(&threads[0], 0, give, 0);
    pthread_create(&threads[1], 0, take, 0);
    pthread_create(&threads[2], 0, take, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], 0);
    assert(items == 0 && taken == 2);
    return 0;
}
