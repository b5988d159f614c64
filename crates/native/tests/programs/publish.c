// One thread publishes data by a flag. -DORDER: with release and acquire nothing races; relaxed it does.
#include <pthread.h>
#include <stdatomic.h>

#ifdef ORDER
#define STORE memory_order_release
#define LOAD memory_order_acquire
#else
#define STORE memory_order_relaxed
#define LOAD memory_order_relaxed
#endif

int data;
atomic_int ready;

void *publish(void *unused) {
    data = 1;
    atomic_store_explicit(&ready, 1, STORE);
    return unused;
}

int main(void) {
    pthread_t other;
    pthread_create(&other, 0, publish, 0);
    if (atomic_load_explicit(&ready, LOAD))
        data = data + 1;
    pthread_join(other, 0);
    return 0;
}
