//! incomplete {--search dfs}
// A thread looks by turns at two words of its own stack until another thread changes one: no hang, although nothing visible
// happens.
#include <pthread.h>
#include <stdatomic.h>

#define APART (128 / sizeof(int))

static atomic_int begun;

static void *write(void *flags) {
    begun = 1;
    ((atomic_int *)flags)[APART] = 1;
    return 0;
}

int main(void) {
    atomic_int flags[2 * APART];
    pthread_t a;
    flags[0] = flags[APART] = 0;
    pthread_create(&a, 0, write, flags);
    while (!flags[0] && !flags[APART])
        ;
    pthread_join(a, 0);
}
