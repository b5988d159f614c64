// A thread waits for a flag in a loop. -DBROKEN: nobody sets it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int flag;
int data;

void *writer(void *unused) {
    data = 42;
#ifndef BROKEN
    flag = 1;
#endif
    return unused;
}

int main(void) {
    pthread_t other;
    pthread_create(&other, 0, writer, 0);
    while (!flag)
        ;
    assert(data == 42);
    pthread_join(other, 0);
    return 0;
}
