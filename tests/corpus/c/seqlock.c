//! clean
//! found assertion -DBROKEN
// A sequence lock; broken: the reader does not look at the sequence again.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint sequence;
static atomic_int x, y;

static void *writer(void *_) {
    sequence++;
    x = 1;
    y = 1;
    sequence++;
    return 0;
}

static void *reader(void *_) {
    unsigned before;
    int a, b;
#ifdef BROKEN
    before = sequence;
    a = x;
    b = y;
    if (before % 2 == 0)
        assert(a == b);
#else
    do {
        before = sequence;
        a = x;
        b = y;
    } while (before % 2 || before != sequence);
    assert(a == b);
#endif
    return 0;
}

int main(void) {
    pthread_t p, q;
    pthread_create(&p, 0, writer, 0);
    pthread_create(&q, 0, reader, 0);
    pthread_join(p, 0);
    pthread_join(q, 0);
}
