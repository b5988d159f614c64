//! clean
//! found memory|race -DBROKEN
// A function that runs at exit frees what a thread still uses. Right: main joins the thread first.
#include <pthread.h>
#include <stdlib.h>

static int *shared;

static void clean_up(void) {
    free(shared);
}

static void *work(void *unused) {
    *shared = 1;
    return unused;
}

int main(void) {
    shared = malloc(sizeof *shared);
    atexit(clean_up);
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
#ifdef BROKEN
    pthread_detach(thread);
#else
    pthread_join(thread, NULL);
#endif
}
