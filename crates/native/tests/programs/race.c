// Two additions without a lock: a race, though nobody asserts anything. -DATOMIC: none.
#include <pthread.h>
#include <stdatomic.h>

#ifdef ATOMIC
_Atomic
#endif
int counter;

void add(void) {
    counter++;
}

void *work(void *unused) {
    add();
    return unused;
}

int main(void) {
    pthread_t other;
    pthread_create(&other, 0, work, 0);
    work(0);
    pthread_join(other, 0);
    return 0;
}
