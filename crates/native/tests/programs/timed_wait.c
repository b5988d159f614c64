// A wait with a time-out may be woken or give up. -DBROKEN: it is taken for granted that it is woken.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
int ready;

void *set(void *unused) {
    pthread_mutex_lock(&lock);
    ready = 1;
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t other;
    struct timespec until;
    int result = 0;
    pthread_create(&other, 0, set, 0);
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec++;
    pthread_mutex_lock(&lock);
    while (!ready && result == 0)
        result = pthread_cond_timedwait(&condition, &lock, &until);
#ifdef BROKEN
    assert(result == 0);
#else
    assert(result == 0 || result == ETIMEDOUT);
#endif
    pthread_mutex_unlock(&lock);
    pthread_join(other, 0);
    return 0;
}
