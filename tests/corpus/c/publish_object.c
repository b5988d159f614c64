//! clean
//! found race -DRELAXED
//! found race -DPLAIN
// An object is built and then published through a pointer.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct config { int size; int depth; };
#ifdef PLAIN
static struct config *current;
#define PUBLISH(p) current = (p)
#define READ() current
#else
static _Atomic(struct config *) current;
#ifdef RELAXED
#define PUBLISH(p) atomic_store_explicit(&current, (p), memory_order_relaxed)
#define READ() atomic_load_explicit(&current, memory_order_relaxed)
#else
#define PUBLISH(p) atomic_store_explicit(&current, (p), memory_order_release)
#define READ() atomic_load_explicit(&current, memory_order_acquire)
#endif
#endif

static void *reader(void *_) {
    struct config *seen = READ();
    if (seen)
        assert(seen->size + seen->depth == 7);
    return 0;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, reader, 0);
    struct config *made = malloc(sizeof *made);
    made->size = 3;
    made->depth = 4;
    PUBLISH(made);
    pthread_join(a, 0);
    free(made);
}
