// Loops that wait, of sorts that are hard to recognise, one for each number.
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

int counter;

#if CASE == 1
// A queue of threads, each of which looks at a word on its own stack (Mellor-Crummey & Scott 1991).
struct place {
    _Atomic(struct place *) next;
    atomic_int waits;
};
_Atomic(struct place *) last;

void *work(void *unused) {
    struct place own = {0, 1}, *expected = &own;
    struct place *before = atomic_exchange(&last, &own);
    if (before) {
        before->next = &own;
        while (own.waits) {
        }
    }
    counter++;
    if (!own.next && atomic_compare_exchange_strong(&last, &expected, 0))
        return unused;
    while (!own.next) {
    }
    ((struct place *)own.next)->waits = 0;
    return unused;
}
#elif CASE == 2
// A loop that counts its rounds, and begins again.
atomic_int taken;

void *work(void *unused) {
    int rounds = 0;
    while (atomic_exchange(&taken, 1))
        if (++rounds > 20) {
            sched_yield();
            rounds = 0;
        }
    counter++;
    taken = 0;
    return unused;
}
#elif CASE == 3
// A word on the stack of who waits, that is no atomic one.
void *work(void *flag) {
    if (flag)
        *(volatile int *)flag = 1;
    return flag;
}
#endif

int main(void) {
    pthread_t first, second;
#if CASE == 3
    volatile int flag = 0;
    pthread_create(&first, 0, work, (void *)&flag);
    while (!flag) {
    }
    pthread_create(&second, 0, work, 0);
    counter = 2;
#else
    pthread_create(&first, 0, work, 0);
    pthread_create(&second, 0, work, 0);
#endif
    pthread_join(first, 0);
    pthread_join(second, 0);
    assert(counter == 2);
    return 0;
}
