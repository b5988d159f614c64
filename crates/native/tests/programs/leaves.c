// A thread ends the program while the first one waits for its end. -DBROKEN: it was to be the last to write.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int x;

void at_exit(void) {
#ifdef BROKEN
    assert(x == 1);
#endif
}

void *leaves(void *unused) {
    x = 1;
    exit(0);
    return unused;
}

int main(void) {
    pthread_t thread;
    atexit(at_exit);
    pthread_create(&thread, 0, leaves, 0);
    x = 2;
    pthread_join(thread, 0);
    assert(0);
    return 0;
}
