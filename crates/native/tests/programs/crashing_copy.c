/* A thread copies a structure that another one writes, and divides by zero if it finds what was written. If the copy of such an
   execution were put right in the next one, a write would be seen that has not begun. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct parts {
    long first, between[3], last;
};

static struct parts shared;
static atomic_int begun, own_steps, turns;
static volatile long quotient;

static void *writes(void *unused) {
    struct parts new = {1, {0}, 1};
    for (int i = 0; i < 12; i++)
        own_steps++;
    begun = 1;
    shared = new;
    turns++;
    return unused;
}

static void *divides(void *unused) {
    for (int i = 0; i < COUNT; i++)
        turns++;
    struct parts own = shared;
    quotient = 10 / (1 - own.first);
    assert(begun || !own.last);
    turns++;
    return unused;
}

static void *counts(void *unused) {
    for (int i = 0; i < COUNT; i++)
        turns++;
    return unused;
}

int main(void) {
    void *(*starts[])(void *) = {writes, divides, counts};
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], 0, starts[i], 0);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], 0);
    return 0;
}
