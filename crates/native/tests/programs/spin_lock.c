/* A spin lock, with what must not be taken for a part of it right behind. If BROKEN, one thread does not take it. */
#include <assert.h>
#include <pthread.h>

static struct {
    pthread_spinlock_t lock;
    int sum;
    int rest[8];
} all;

static void *first(void *unused) {
    pthread_spin_lock(&all.lock);
    all.sum++;
    pthread_spin_unlock(&all.lock);
    return unused;
}

static void *second(void *unused) {
#ifdef BROKEN
    all.sum++;
#else
    while (pthread_spin_trylock(&all.lock) != 0)
        ;
    all.sum++;
    pthread_spin_unlock(&all.lock);
#endif
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_spin_init(&all.lock, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(all.sum == 2);
    for (int i = 0; i < 8; i++)
        assert(all.rest[i] == 0);
    pthread_spin_destroy(&all.lock);
    return 0;
}
