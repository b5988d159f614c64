//! clean
//! found race -DBROKEN
// Two threads sum halves of an array into cells of their own. Broken: the halves of what they write overlap by one.
#include <assert.h>
#include <pthread.h>

enum { LENGTH = 6 };
static int numbers[LENGTH] = {1, 2, 3, 4, 5, 6};

struct half {
    int from, to, sum;
};

static void *sum(void *arg) {
    struct half *half = arg;
    for (int i = half->from; i < half->to; i++) {
        numbers[i] *= 2;
        half->sum += numbers[i];
    }
    return NULL;
}

int main(void) {
#ifdef BROKEN
    struct half halves[2] = {{0, 4, 0}, {3, LENGTH, 0}};
#else
    struct half halves[2] = {{0, 3, 0}, {3, LENGTH, 0}};
#endif
    pthread_t a, b;
    pthread_create(&a, NULL, sum, &halves[0]);
    pthread_create(&b, NULL, sum, &halves[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
#ifndef BROKEN
    assert(halves[0].sum + halves[1].sum == 42);
#endif
}
