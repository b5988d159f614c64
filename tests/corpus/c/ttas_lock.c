//! clean
//! found assertion -DBROKEN
// Test and test-and-set; broken: test and set are two steps.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int taken, inside;

static void lock(void) {
    for (;;) {
        while (taken)
            ;
#ifdef BROKEN
        taken = 1;
        return;
#else
        if (!atomic_exchange(&taken, 1))
            return;
#endif
    }
}

static void *work(void *_) {
    lock();
    assert(inside++ == 0);
    inside--;
    taken = 0;
    return 0;
}

int main(void) {
    pthread_t t[3];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, work, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
}
