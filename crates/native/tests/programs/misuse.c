// Rules of the thread library that are broken, one for each number.
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, another = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;

void *other(void *unused) {
#if CASE == 1
    pthread_mutex_unlock(&lock);
#elif CASE == 7
    pthread_mutex_lock(&lock);
#elif CASE == 8
    pthread_mutex_lock(&another);
    pthread_cond_wait(&condition, &another);
#endif
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_attr_t detached;
    pthread_mutex_lock(&lock);
    pthread_attr_init(&detached);
#if CASE == 7 // It waits for the mutex, so that joining it would be a deadlock if it were possible.
    pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
#endif
    pthread_create(&thread, &detached, other, 0);
#if CASE == 8
    pthread_cond_wait(&condition, &lock);
#endif
    pthread_join(thread, 0);
#if CASE == 2
    pthread_mutex_destroy(&lock);
#elif CASE == 3
    pthread_join(thread, 0);
#elif CASE == 4
    pthread_mutex_unlock(&lock);
    pthread_cond_wait(&condition, &lock);
#elif CASE == 5
    pthread_mutex_unlock(&lock);
    pthread_mutex_destroy(&lock);
    pthread_mutex_lock(&lock);
#elif CASE == 6
    pthread_rwlock_unlock(&shared);
#endif
    return 0;
}
