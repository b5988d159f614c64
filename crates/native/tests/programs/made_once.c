/* What two threads need is made once; if BROKEN, one of them looks before it has asked for it. */
#include <assert.h>
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int made;

static void make(void) { made++; }

static void *first(void *unused) {
    pthread_once(&once, make);
    assert(made == 1);
    return unused;
}

static void *second(void *unused) {
#ifdef BROKEN
    int early = made;
    pthread_once(&once, make);
    assert(early == 0);
#endif
    return first(unused);
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
