//! clean
//! found race -DBROKEN
// Two bit fields of one word, each written by its own thread.
#include <pthread.h>

static struct {
    int left : 4;
#ifndef BROKEN
    int : 0;
#endif
    int right : 4;
} flags;

static void *sets_left(void *_) { flags.left = 1; return 0; }
static void *sets_right(void *_) { flags.right = 1; return 0; }

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, sets_left, 0);
    pthread_create(&b, 0, sets_right, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
