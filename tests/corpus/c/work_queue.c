//! clean
//! found deadlock -DBROKEN
// Workers wait for jobs; broken: closing the queue wakes one worker only.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int jobs, closed, done;

static void *worker(void *_) {
    pthread_mutex_lock(&m);
    for (;;) {
        while (!jobs && !closed)
            pthread_cond_wait(&c, &m);
        if (!jobs)
            break;
        jobs--;
        done++;
    }
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_mutex_lock(&m);
    jobs = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
    closed = 1;
#ifdef BROKEN
    pthread_cond_signal(&c);
#else
    pthread_cond_broadcast(&c);
#endif
    pthread_mutex_unlock(&m);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
