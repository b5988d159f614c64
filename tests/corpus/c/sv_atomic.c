//! clean
//! found assertion -DBROKEN
// Atomic sections of SV-COMP, one after the other in one function, and values left open.
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern _Bool __VERIFIER_nondet_bool(void);

static int x, y;

static void *work(void *_) {
    __VERIFIER_atomic_begin();
    x++;
#ifndef BROKEN
    y++;
#endif
    __VERIFIER_atomic_end();
#ifdef BROKEN
    __VERIFIER_atomic_begin();
    y++;
    __VERIFIER_atomic_end();
#endif
    return 0;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    if (__VERIFIER_nondet_bool()) {
        __VERIFIER_atomic_begin();
        int same = x == y;
        __VERIFIER_atomic_end();
        assert(same);
    }
    pthread_join(a, 0);
    return 0;
}
