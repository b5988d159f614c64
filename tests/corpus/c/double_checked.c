//! clean
//! found race -DPLAIN
//! found assertion -DUNLOCKED
// Double-checked initialisation.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
#ifdef PLAIN
static int *instance;
#else
static _Atomic(int *) instance;
#endif
static atomic_int made;
static int storage[2];

static int *get(void) {
    if (!instance) {
#ifndef UNLOCKED
        pthread_mutex_lock(&m);
        if (!instance) {
#endif
            int *fresh = &storage[made++ % 2];
            instance = fresh;
#ifndef UNLOCKED
        }
        pthread_mutex_unlock(&m);
#endif
    }
    return instance;
}

static void *work(void *_) { return get(); }

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    get();
    pthread_join(a, 0);
    assert(made == 1);
}
