//! clean
//! found memory -DBROKEN
// A reader looks at a node that a writer takes out and frees.
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int *node;

static void *reader(void *_) {
    pthread_mutex_lock(&m);
    int *seen = node;
#ifdef BROKEN
    pthread_mutex_unlock(&m);
    if (seen)
        return (void *)(long)*seen;
    return 0;
#else
    long value = seen ? *seen : 0;
    pthread_mutex_unlock(&m);
    return (void *)value;
#endif
}

static void *writer(void *_) {
    pthread_mutex_lock(&m);
    int *old = node;
    node = 0;
    pthread_mutex_unlock(&m);
    free(old);
    return 0;
}

int main(void) {
    node = malloc(sizeof *node);
    *node = 1;
    pthread_t a, b;
    pthread_create(&a, 0, reader, 0);
    pthread_create(&b, 0, writer, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
