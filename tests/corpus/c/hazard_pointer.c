//! clean
//! found memory|race -DBROKEN
// A reader protects a node by a hazard pointer. Broken: it does not look again whether the node is still the current one.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    int value;
};

static _Atomic(struct node *) current;
static _Atomic(struct node *) hazard;

static void *reader(void *unused) {
    struct node *node;
    do {
        node = atomic_load(&current);
        atomic_store(&hazard, node);
#ifdef BROKEN
        break;
#endif
    } while (atomic_load(&current) != node);
    int value = node->value;
    atomic_store(&hazard, NULL);
    return value == 0 ? unused : NULL;
}

int main(void) {
    struct node *old = malloc(sizeof *old), *new = malloc(sizeof *new);
    old->value = 1;
    new->value = 2;
    atomic_store(&current, old);
    pthread_t thread;
    pthread_create(&thread, NULL, reader, NULL);
    atomic_store(&current, new);
    if (atomic_load(&hazard) != old) {
        free(old);
        old = NULL;
    }
    pthread_join(thread, NULL);
    free(old);
    free(new);
}
