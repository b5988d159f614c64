//! clean
//! found memory -DBROKEN
// Two threads drop their reference; broken: both can see the count at zero.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int users = 2;
static int *block;

static void *drop(void *_) {
#ifdef BROKEN
    users--;
    if (users == 0)
        free(block);
#else
    if (--users == 0)
        free(block);
#endif
    return 0;
}

int main(void) {
    block = malloc(4);
    pthread_t a, b;
    pthread_create(&a, 0, drop, 0);
    pthread_create(&b, 0, drop, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
