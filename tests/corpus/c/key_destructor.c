//! clean
//! found assertion -DBROKEN
// The destructor of thread-specific data gives back a slot. Broken: main looks before the thread has ended.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int in_use;
static pthread_key_t key;

static void give_back(void *slot) {
    (void)slot;
    in_use--;
}

static void *work(void *unused) {
    in_use++;
    pthread_setspecific(key, &in_use);
    return unused;
}

int main(void) {
    pthread_key_create(&key, give_back);
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
#ifdef BROKEN
    assert(in_use == 0);
#endif
    pthread_join(thread, NULL);
    assert(in_use == 0);
}
