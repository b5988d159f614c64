//! clean -O2
//! found assertion -O2 -DBROKEN
// Optimised code: each access happens once at every level.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int a, b;

static void *work(void *_) {
#ifdef BROKEN
    int seen = a;
    a = seen + 1;
#else
    a++;
#endif
    b++;
    return 0;
}

int main(void) {
    pthread_t x, y;
    pthread_create(&x, 0, work, 0);
    pthread_create(&y, 0, work, 0);
    pthread_join(x, 0);
    pthread_join(y, 0);
    assert(a == 2 && b == 2);
}
