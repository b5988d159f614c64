//! clean
//! found assertion -DBROKEN
// Three threads set bits with fetch_or; broken: one of them does it by load and store.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_uint bits;

static void *set(void *arg) {
    unsigned bit = 1u << (long)arg;
#ifdef BROKEN
    if ((long)arg == 2) {
        atomic_store(&bits, atomic_load(&bits) | bit);
        return 0;
    }
#endif
    atomic_fetch_or(&bits, bit);
    return 0;
}

int main(void) {
    pthread_t t[3];
    for (long n = 0; n < 3; n++)
        pthread_create(&t[n], 0, set, (void *)n);
    for (int n = 0; n < 3; n++)
        pthread_join(t[n], 0);
    assert(bits == 7);
}
