/* What a compare-and-exchange expects stands in memory, and so does then what it found. Two threads push nodes whose links are that
   memory, so that the one that comes too late finds the other's node there. If BROKEN, the other one reads the link meanwhile. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

typedef struct Node {
    struct Node *next;
    int value;
} Node;

static _Atomic(Node *) top;

static void *push(void *node) {
    Node *own = node;
    while (!atomic_compare_exchange_weak(&top, &own->next, own)) {
    }
    return NULL;
}

int main(void) {
    Node first = {NULL, 1}, second = {NULL, 2};
    pthread_t thread;
    pthread_create(&thread, NULL, push, &first);
    push(&second);
#ifdef BROKEN
    Node *next = first.next;
    (void)next;
#endif
    pthread_join(thread, NULL);
    int sum = 0;
    for (Node *node = top; node; node = node->next)
        sum += node->value;
    assert(sum == 3);
    return 0;
}
