//! clean
//! found misuse -DOTHER
//! found misuse -DFREE
// A mutex is unlocked by a thread that does not hold it, or while no thread holds it.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *_) {
#if !defined OTHER && !defined FREE
    pthread_mutex_lock(&m);
#endif
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
#ifdef OTHER
    pthread_mutex_lock(&m);
#endif
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    pthread_join(a, 0);
}
