// Who gives back the last reference frees the block, counter and all: what the others did to the counter comes before.
// -DRELAXED: nothing says so.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifdef RELAXED
#define ORDER memory_order_relaxed
#else
#define ORDER memory_order_acq_rel
#endif

struct shared {
    atomic_int references;
    int data;
};

void *give_back(void *argument) {
    struct shared *shared = argument;
    if (atomic_fetch_sub_explicit(&shared->references, 1, ORDER) == 1)
        free(shared);
    return 0;
}

int main(void) {
    pthread_t other;
    struct shared *shared = malloc(sizeof *shared);
    atomic_init(&shared->references, 2);
    pthread_create(&other, 0, give_back, shared);
    give_back(shared);
    pthread_join(other, 0);
    return 0;
}
