//! clean
//! found assertion|race -DBROKEN
// A free list with a tag that counts up with every change. Broken: the tag stays the same, so a node is taken twice.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

enum { NONE = 255 };
static atomic_uint head;
static atomic_uint next[3] = {1, 2, NONE};
static atomic_int owners[3];

static unsigned tagged(unsigned node, unsigned tag) {
    return node | tag << 8;
}

static unsigned pop(void) {
    unsigned old = head;
    while ((old & 255) != NONE) {
        unsigned behind = next[old & 255];
#ifdef BROKEN
        unsigned tag = 0;
#else
        unsigned tag = (old >> 8) + 1;
#endif
        if (atomic_compare_exchange_strong(&head, &old, tagged(behind, tag)))
            return old & 255;
    }
    return NONE;
}

static void push(unsigned node) {
    unsigned old = head, tag;
    do {
        next[node] = old & 255;
#ifdef BROKEN
        tag = 0;
#else
        tag = (old >> 8) + 1;
#endif
    } while (!atomic_compare_exchange_strong(&head, &old, tagged(node, tag)));
}

static void *take_two_and_return_one(void *unused) {
    unsigned a = pop(), b = pop();
    if (a != NONE)
        assert(owners[a]++ == 0);
    if (b != NONE)
        assert(owners[b]++ == 0);
    if (a != NONE) {
        owners[a]--;
        push(a);
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, take_two_and_return_one, NULL);
    unsigned mine = pop(), second = pop();
    if (mine != NONE)
        assert(owners[mine]++ == 0);
    if (second != NONE)
        assert(owners[second]++ == 0);
    pthread_join(thread, NULL);
}
