//! clean
//! found assertion -DREACHED
// Store buffering: both threads reading 0 is impossible under sequential consistency, one of them reading 0 is not.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y, a, b;

static void *left(void *_) { x = 1; a = y; return 0; }
static void *right(void *_) { y = 1; b = x; return 0; }

int main(void) {
    pthread_t p, q;
    pthread_create(&p, 0, left, 0);
    pthread_create(&q, 0, right, 0);
    pthread_join(p, 0);
    pthread_join(q, 0);
#ifdef REACHED
    assert(a == 1 && b == 1);
#else
    assert(a == 1 || b == 1);
#endif
}
