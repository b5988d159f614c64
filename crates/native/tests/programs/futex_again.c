/* A thread that is woken from a futex finds the word as it was, and sleeps again: each time, somebody else is told that it has woken
   one. BROKEN: nobody expects that to happen as often as there are calls. */
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

#define CALLS 3

static atomic_int word;

static void *sleeper(void *unused) {
    while (atomic_load(&word) == 0)
        syscall(SYS_futex, &word, FUTEX_WAIT, 0, 0, 0, 0);
    return unused;
}

static void *waker(void *unused) {
    long woken = 0;
    for (int i = 0; i < CALLS; i++)
        woken += syscall(SYS_futex, &word, FUTEX_WAKE, 1, 0, 0, 0);
#ifdef BROKEN
    assert(woken < CALLS);
#else
    assert(woken <= CALLS);
#endif
    atomic_store(&word, 1);
    syscall(SYS_futex, &word, FUTEX_WAKE, 1, 0, 0, 0);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, sleeper, 0);
    pthread_create(&b, 0, waker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
