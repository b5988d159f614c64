// A lock made of an atomic flag.
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

atomic_flag held = ATOMIC_FLAG_INIT;
int counter;

void *add(void *unused) {
    while (atomic_flag_test_and_set(&held))
        sched_yield();
    counter++;
    atomic_flag_clear(&held);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, add, 0);
    pthread_create(&b, 0, add, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(counter == 2);
    return 0;
}
