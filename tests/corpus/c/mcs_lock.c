//! clean
//! found hang -DBROKEN
// An MCS queue lock; broken: the owner leaves without handing over when a successor has not linked itself yet.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct node { _Atomic(struct node *) next; atomic_int waits; };
static _Atomic(struct node *) tail;
static int count;

static void lock(struct node *me) {
    me->next = 0;
    me->waits = 1;
    struct node *before = atomic_exchange(&tail, me);
    if (before) {
        before->next = me;
        while (me->waits)
            ;
    }
}

static void unlock(struct node *me) {
    if (!me->next) {
        struct node *expected = me;
        if (atomic_compare_exchange_strong(&tail, &expected, (struct node *)0))
            return;
#ifdef BROKEN
        if (!me->next)
            return;
#else
        while (!me->next)
            ;
#endif
    }
    struct node *next = me->next;
    next->waits = 0;
}

static struct node nodes[2];
static void *work(void *arg) {
    struct node *me = &nodes[(long)arg];
    lock(me);
    count++;
    unlock(me);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, (void *)0L);
    pthread_create(&b, 0, work, (void *)1L);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(count == 2);
}
