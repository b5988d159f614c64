//! clean
//! found assertion -DBROKEN
// Three threads under one lock; only one order of the three reaches 3 before the check.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int data;

static void *one(void *_) { pthread_mutex_lock(&m); data++; pthread_mutex_unlock(&m); return 0; }
static void *two(void *_) { pthread_mutex_lock(&m); data += 2; pthread_mutex_unlock(&m); return 0; }
static void *look(void *_) {
    pthread_mutex_lock(&m);
#ifdef BROKEN
    assert(data < 3);
#else
    assert(data <= 3);
#endif
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    pthread_create(&c, 0, look, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
}
