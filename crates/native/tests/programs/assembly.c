// Assembly in the source: what touches memory would be missed, a pause would not.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int ready;
int counter;

void *work(void *unused) {
#ifdef BROKEN
    __asm__ volatile("lock; incl %0" : "+m"(counter) : : "memory");
#else
    counter++;
#endif
    ready = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    while (!ready)
        __asm__ volatile("pause" : : : "memory");
    assert(counter == 1);
    pthread_join(thread, 0);
    return 0;
}
