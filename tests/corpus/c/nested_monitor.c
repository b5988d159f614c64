//! clean
//! found deadlock -DBROKEN
// A thread waits for a condition while it keeps an outer lock that the notifier needs. Right: it gives the outer lock back.
#include <pthread.h>

static pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER, inner = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static int done;

static void *waiter(void *unused) {
    pthread_mutex_lock(&outer);
#ifndef BROKEN
    pthread_mutex_unlock(&outer);
#endif
    pthread_mutex_lock(&inner);
    while (!done)
        pthread_cond_wait(&ready, &inner);
    pthread_mutex_unlock(&inner);
#ifdef BROKEN
    pthread_mutex_unlock(&outer);
#endif
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, waiter, NULL);
    pthread_mutex_lock(&outer);
    pthread_mutex_lock(&inner);
    done = 1;
    pthread_cond_signal(&ready);
    pthread_mutex_unlock(&inner);
    pthread_mutex_unlock(&outer);
    pthread_join(thread, NULL);
}
