// An atomic object that is too large for an instruction. -DBROKEN: it is read and written in two steps.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct sums {
    int first, second, third;
};

_Atomic struct sums shared;
int told;

void *add(void *unused) {
    struct sums old = atomic_load(&shared), new;
#ifdef BROKEN
    new = old;
    new.first++, new.third--;
    atomic_store(&shared, new);
#else
    do {
        new = old;
        new.first++, new.third--;
    } while (!atomic_compare_exchange_weak(&shared, &old, new));
#endif
    return unused;
}

// What was written before the object is seen by who has read it.
void *tell(void *unused) {
    told = 1;
    atomic_exchange(&shared, ((struct sums){0, 7, 0}));
    return unused;
}

int main(void) {
    pthread_t threads[2], teller;
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, add, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
    struct sums sums = atomic_load(&shared);
    assert(sums.first == 2 && sums.third == -2);
    pthread_create(&teller, 0, tell, 0);
    if (atomic_load(&shared).second == 7)
        assert(told);
    pthread_join(teller, 0);
    return 0;
}
