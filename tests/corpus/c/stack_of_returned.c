//! clean
//! found memory|race -DBROKEN
// A thread gets the address of a variable; broken: of a function that has returned.
#include <pthread.h>
#include <stdlib.h>
static pthread_t thread;

static void *read_it(void *arg) {
    return (void *)(long)(*(volatile int *)arg);
}

static void start(int *value) {
    pthread_create(&thread, 0, read_it, value);
}

static void from_stack(void) {
    int value = 7;
    start(&value);
}

static void reuse(void) {
    volatile int other = 9;
    (void)other;
}

int main(void) {
#ifdef BROKEN
    from_stack();
    reuse();
    pthread_join(thread, 0);
#else
    int *value = malloc(sizeof *value);
    *value = 7;
    start(value);
    pthread_join(thread, 0);
    free(value);
    (void)from_stack;
    (void)reuse;
#endif
}
