// Two locks for one variable (SCTBench). -DBROKEN: the second thread takes the wrong one.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t data_lock = PTHREAD_MUTEX_INITIALIZER, other_lock = PTHREAD_MUTEX_INITIALIZER;
int data;

void *first(void *unused) {
    pthread_mutex_lock(&data_lock);
    int before = data;
    data = before + 1;
    assert(data == before + 1);
    pthread_mutex_unlock(&data_lock);
    return unused;
}

void *second(void *unused) {
#ifdef BROKEN
    pthread_mutex_lock(&other_lock);
    data = data + 1;
    pthread_mutex_unlock(&other_lock);
#else
    pthread_mutex_lock(&data_lock);
    data = data + 1;
    pthread_mutex_unlock(&data_lock);
#endif
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
