//! clean -DN=2 -DLIMIT=9
//! found assertion -DN=2 -DLIMIT=8
// Two threads add each other's number N times: with N = 2 the largest value is the 6th Fibonacci number, 8.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int i = 1, j = 1;

static void *add_j(void *_) {
    for (int k = 0; k < N; k++)
        i = i + j;
    return 0;
}
static void *add_i(void *_) {
    for (int k = 0; k < N; k++)
        j = j + i;
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, add_j, 0);
    pthread_create(&b, 0, add_i, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(i < LIMIT && j < LIMIT);
}
