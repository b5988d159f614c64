//! clean
//! found assertion -DBROKEN
// The owner takes from the bottom of a deque, a thief from the top; broken: the owner takes the last item without a compare.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int top, bottom = 2, items[2] = {0, 1}, taken[2];

static void use(int item) {
    assert(taken[item]++ == 0);
}

static int take(void) {
    int b = bottom - 1;
    bottom = b;
    int t = top;
    if (t > b) {
        bottom = b + 1;
        return -1;
    }
    int item = items[b];
    if (t == b) {
#ifndef BROKEN
        if (!atomic_compare_exchange_strong(&top, &t, t + 1))
            item = -1;
#else
        top = t + 1;
#endif
        bottom = b + 1;
    }
    return item;
}

static void *thief(void *arg) {
    int t = top;
    if (t < bottom) {
        int item = items[t];
        if (atomic_compare_exchange_strong(&top, &t, t + 1))
            use(item);
    }
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, thief, 0);
    for (int n = 0; n < 2; n++) {
        int item = take();
        if (item >= 0)
            use(item);
    }
    pthread_join(a, 0);
}
