//! clean
//! found assertion -DBROKEN
// Each thread adds to its own cell of an array; broken: all use the index that main still counts up.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int cells[3], next;

static void *add(void *arg) {
#ifdef BROKEN
    cells[next]++;
#else
    cells[(long)arg]++;
#endif
    return 0;
}

int main(void) {
    pthread_t t[3];
    for (long n = 0; n < 3; n++) {
        next = (int)n;
        pthread_create(&t[n], 0, add, (void *)n);
    }
    for (int n = 0; n < 3; n++)
        pthread_join(t[n], 0);
    for (int n = 0; n < 3; n++)
        assert(cells[n] == 1);
}
