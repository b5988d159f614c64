//! clean
//! found deadlock -DBROKEN
// A thread that ends itself unlocks by its clean-up handler. Broken: it has none.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void unlock(void *mutex) {
    pthread_mutex_unlock(mutex);
}

static void *work(void *unused) {
    pthread_mutex_lock(&lock);
#ifdef BROKEN
    pthread_exit(unused);
#else
    pthread_cleanup_push(unlock, &lock);
    pthread_exit(unused);
    pthread_cleanup_pop(1);
#endif
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
}
