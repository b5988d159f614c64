//! clean
//! found assertion -DBROKEN
// Setters write a and then b; the checker must see b only with a. Broken: setters write b first.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int a, b;

static void *set(void *arg) {
#ifdef BROKEN
    b = -1;
    a = 1;
#else
    a = 1;
    b = -1;
#endif
    return arg;
}

static void *look(void *arg) {
    int second = b, first = a;
    assert(!(second == -1 && first == 0));
    return arg;
}

int main(void) {
    pthread_t t[4];
    for (int n = 0; n < 3; n++)
        pthread_create(&t[n], 0, set, 0);
    pthread_create(&t[3], 0, look, 0);
    for (int n = 0; n < 4; n++)
        pthread_join(t[n], 0);
}
