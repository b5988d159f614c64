//! clean
//! found assertion -DBROKEN
// The threads of C11.
#include <assert.h>
#include <stdatomic.h>
#include <threads.h>

static mtx_t m;
static cnd_t c;
static atomic_int ready;

static int waits(void *_) {
    mtx_lock(&m);
#ifdef BROKEN
    if (!ready) {
        mtx_unlock(&m);
        assert(ready);
        return 0;
    }
#else
    while (!ready)
        cnd_wait(&c, &m);
#endif
    mtx_unlock(&m);
    return 0;
}

int main(void) {
    mtx_init(&m, mtx_plain);
    cnd_init(&c);
    thrd_t a;
    thrd_create(&a, waits, 0);
    mtx_lock(&m);
    ready = 1;
    cnd_signal(&c);
    mtx_unlock(&m);
    thrd_join(a, 0);
}
