//! clean
//! found race -DBROKEN
// A CLH queue lock: each thread spins on the node before its own. Broken: it takes its place by a load and a store.
#include <pthread.h>
#include <stdatomic.h>

struct node {
    atomic_int locked;
};

static struct node nodes[3];
static _Atomic(struct node *) tail = &nodes[0];
static int counter;

static void *work(void *arg) {
    struct node *mine = &nodes[(long)arg];
    mine->locked = 1;
#ifdef BROKEN
    struct node *before = tail;
    tail = mine;
#else
    struct node *before = atomic_exchange(&tail, mine);
#endif
    while (before->locked)
        ;
    counter++;
    mine->locked = 0;
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, work, (void *)1L);
    pthread_create(&b, NULL, work, (void *)2L);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
}
