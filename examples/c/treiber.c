// A stack without locks (Treiber 1986). -DBROKEN: a node goes back on it as soon as it is taken off, while others still look at
// it (the ABA problem).
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct node {
    struct node *_Atomic next;
    atomic_int owners;
};

struct node nodes[2];
struct node *_Atomic top;

void push(struct node *node) {
    struct node *old = top;
    do
        node->next = old;
    while (!atomic_compare_exchange_strong(&top, &old, node));
}

struct node *pop(void) {
    struct node *old = top;
    while (old && !atomic_compare_exchange_strong(&top, &old, old->next))
        ;
    return old;
}

void own(struct node *node) {
    if (node)
        assert(atomic_fetch_add(&node->owners, 1) == 0);
}

void *one(void *unused) {
    own(pop());
    return unused;
}

void *other(void *unused) {
    struct node *first = pop(), *second = pop();
    own(second);
#ifdef BROKEN
    if (first)
        push(first);
#else
    own(first);
#endif
    own(pop());
    return unused;
}

int main(void) {
    pthread_t a, b;
    push(&nodes[0]);
    push(&nodes[1]);
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, other, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    own(pop());
    return 0;
}
