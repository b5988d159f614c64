//! clean
//! found assertion -DBROKEN
// A stack whose nodes are used again: with a plain pointer pop can succeed on a stale next; a version tag prevents it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int next[4];
static _Atomic unsigned top = 1; /* index | version << 8 */
static atomic_int taken[4];

static int pop(void) {
    for (;;) {
        unsigned seen = top;
        int index = seen & 255;
        if (!index)
            return 0;
        unsigned after = next[index];
#ifndef BROKEN
        after |= (seen & ~255u) + 256;
#endif
        if (atomic_compare_exchange_strong(&top, &seen, after)) {
            assert(taken[index]++ == 0);
            return index;
        }
    }
}

static void push(int index) {
    taken[index]--;
    for (;;) {
        unsigned seen = top;
        next[index] = seen & 255;
        unsigned after = index;
#ifndef BROKEN
        after |= (seen & ~255u) + 256;
#endif
        if (atomic_compare_exchange_strong(&top, &seen, after))
            return;
    }
}

static void *pops(void *_) {
    pop();
    return 0;
}
static void *recycles(void *_) {
    int a = pop();
    int b = pop();
    if (a)
        push(a);
    (void)b;
    return 0;
}

int main(void) {
    next[1] = 2;
    next[2] = 3;
    pthread_t a, b;
    pthread_create(&a, 0, pops, 0);
    pthread_create(&b, 0, recycles, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pop();
}
