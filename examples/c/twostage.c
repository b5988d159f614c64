// Two variables change in two stages, each under its lock (SCTBench). -DBROKEN: a reader sees the time between them.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t first_lock = PTHREAD_MUTEX_INITIALIZER, second_lock = PTHREAD_MUTEX_INITIALIZER;
int first, second;

void *change(void *unused) {
    pthread_mutex_lock(&first_lock);
    first = 1;
#ifdef BROKEN
    pthread_mutex_unlock(&first_lock);
#endif
    pthread_mutex_lock(&second_lock);
    second = first + 1;
    pthread_mutex_unlock(&second_lock);
#ifndef BROKEN
    pthread_mutex_unlock(&first_lock);
#endif
    return unused;
}

void *look(void *unused) {
    pthread_mutex_lock(&first_lock);
    int one = first;
#ifdef BROKEN
    pthread_mutex_unlock(&first_lock);
#endif
    pthread_mutex_lock(&second_lock);
    int two = second;
    pthread_mutex_unlock(&second_lock);
#ifndef BROKEN
    pthread_mutex_unlock(&first_lock);
#endif
    assert(one == 0 || two == one + 1);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, change, 0);
    pthread_create(&b, 0, look, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
