//! clean
//! found race -DRELAXED
//! found race -DPLAIN
// Data, then a flag.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int data;
#ifdef PLAIN
static int flag;
#define SET() flag = 1
#define GET() flag
#elif defined RELAXED
static atomic_int flag;
#define SET() atomic_store_explicit(&flag, 1, memory_order_relaxed)
#define GET() atomic_load_explicit(&flag, memory_order_relaxed)
#else
static atomic_int flag;
#define SET() atomic_store_explicit(&flag, 1, memory_order_release)
#define GET() atomic_load_explicit(&flag, memory_order_acquire)
#endif

static void *producer(void *_) { data = 42; SET(); return 0; }
static void *consumer(void *_) {
    if (GET())
        assert(data == 42);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, producer, 0);
    pthread_create(&b, 0, consumer, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
