//! clean
//! found assertion -DBROKEN
// A queue without locks; broken: the tail is moved before the node is linked.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct node { _Atomic(struct node *) next; int value; };
static _Atomic(struct node *) head, tail;

static void push(int value) {
    struct node *fresh = malloc(sizeof *fresh);
    fresh->value = value;
    atomic_store(&fresh->next, 0);
#ifdef BROKEN
    struct node *last = atomic_exchange(&tail, fresh);
    last->value += 0;
    if (atomic_load(&last->next) == 0)
        atomic_store(&last->next, fresh);
#else
    for (;;) {
        struct node *last = atomic_load(&tail), *none = 0;
        if (atomic_compare_exchange_strong(&last->next, &none, fresh)) {
            atomic_compare_exchange_strong(&tail, &last, fresh);
            return;
        }
        atomic_compare_exchange_strong(&tail, &last, none);
    }
#endif
}

static void *producer(void *arg) {
    push((int)(long)arg);
    return 0;
}

int main(void) {
    struct node *dummy = calloc(1, sizeof *dummy);
    atomic_store(&head, dummy);
    atomic_store(&tail, dummy);
    pthread_t a, b;
    pthread_create(&a, 0, producer, (void *)1L);
    pthread_create(&b, 0, producer, (void *)2L);
#ifdef BROKEN
    // While a push is half done, the tail has no way back to the head.
    struct node *first = atomic_load(&head), *seen = atomic_load(&tail);
    if (seen != first)
        assert(atomic_load(&first->next) != 0);
#endif
    pthread_join(a, 0);
    pthread_join(b, 0);
    int sum = 0, count = 0;
    for (struct node *at = atomic_load(&atomic_load(&head)->next); at; at = atomic_load(&at->next), count++)
        sum += at->value;
    assert(count == 2 && sum == 3);
}
