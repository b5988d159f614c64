// Atomic operations on an object of SIZE bytes, of which compilers make calls: two threads add to it or, if PUBLISH, one tells the
// other by it that there is data. If BROKEN, adding takes two steps, and telling does not release.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct object {
    unsigned char bytes[SIZE];
};

static _Atomic struct object object;
#ifdef PUBLISH
static int data;
#endif

#ifdef BROKEN
#define ORDER memory_order_relaxed
#else
#define ORDER memory_order_release
#endif

static void add(void) {
    struct object old = atomic_load(&object), new;
    do {
        new = old;
        new.bytes[SIZE - 1]++;
#ifdef BROKEN
        atomic_store(&object, new);
    } while (0);
#else
    } while (!atomic_compare_exchange_strong(&object, &old, new));
#endif
}

static void *work(void *unused) {
    add();
#ifdef PUBLISH
    struct object ready = {{1}};
    data = 1;
    atomic_store_explicit(&object, ready, ORDER);
#endif
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
#ifdef PUBLISH
    if (atomic_load_explicit(&object, memory_order_acquire).bytes[0])
        assert(data == 1);
    pthread_join(thread, 0);
    struct object old = atomic_exchange(&object, (struct object){{2}});
    assert(old.bytes[0] == 1 && atomic_load(&object).bytes[0] == 2);
#else
    add();
    pthread_join(thread, 0);
    assert(atomic_load(&object).bytes[SIZE - 1] == 2);
#endif
    return 0;
}
