//! clean
//! found misuse -DBROKEN
// A mutex is destroyed while another thread can hold it.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *_) {
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
#ifdef BROKEN
    pthread_mutex_destroy(&m);
    pthread_join(a, 0);
#else
    pthread_join(a, 0);
    pthread_mutex_destroy(&m);
#endif
}
