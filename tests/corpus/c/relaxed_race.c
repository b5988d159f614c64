//! clean
//! found race -DBROKEN
//! found race {--search dfs} -DBROKEN
// A flag says that data is there. Broken: nothing orders the data before the flag.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;
static int data, out;

#ifdef BROKEN
#define STORES memory_order_relaxed
#define LOADS memory_order_relaxed
#else
#define STORES memory_order_release
#define LOADS memory_order_acquire
#endif

static void *writer(void *arg) {
    data = 1;
    atomic_store_explicit(&flag, 1, STORES);
    return 0;
}

static void *reader(void *arg) {
    while (!atomic_load_explicit(&flag, LOADS))
        ;
    out = data;
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, writer, 0);
    pthread_create(&b, 0, reader, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
