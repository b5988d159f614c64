// One thread sets two variables, another expects them in order (SCTBench). -DBROKEN: without the lock.
#include <assert.h>
#include <pthread.h>

#ifdef BROKEN
#define LOCK
#define UNLOCK
#else
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
#define LOCK pthread_mutex_lock(&lock)
#define UNLOCK pthread_mutex_unlock(&lock)
#endif
int a, b;

void *set(void *unused) {
    LOCK;
    a = 1;
    b = -1;
    UNLOCK;
    return unused;
}

void *check(void *unused) {
    LOCK;
    assert((a == 0 && b == 0) || (a == 1 && b == -1));
    UNLOCK;
    return unused;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, set, 0);
    pthread_create(&two, 0, check, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
