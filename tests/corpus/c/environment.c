//! clean
//! found race|memory|crash -DBROKEN
// The environment belongs to all threads. Broken: one thread changes it while another one reads it.
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *change(void *unused) {
#ifndef BROKEN
    pthread_mutex_lock(&lock);
#endif
    setenv("CORPUS_COLOUR", "blue", 1);
#ifndef BROKEN
    pthread_mutex_unlock(&lock);
#endif
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, change, NULL);
    pthread_mutex_lock(&lock);
    const char *colour = getenv("CORPUS_COLOUR");
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    return colour != NULL && *colour == 'r';
}
