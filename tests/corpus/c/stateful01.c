//! clean
//! found assertion -DBROKEN
// Two threads change two numbers under two locks; the sum depends on the order.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t ma = PTHREAD_MUTEX_INITIALIZER, mb = PTHREAD_MUTEX_INITIALIZER;
static int a = 10, b = 10;

static void *first(void *_) {
    pthread_mutex_lock(&ma);
    a++;
    pthread_mutex_unlock(&ma);
    pthread_mutex_lock(&mb);
    b++;
    pthread_mutex_unlock(&mb);
    return 0;
}
static void *second(void *_) {
    pthread_mutex_lock(&ma);
    a += 5;
    pthread_mutex_unlock(&ma);
    pthread_mutex_lock(&mb);
#ifdef BROKEN
    b *= 2;
#else
    b -= 6;
#endif
    pthread_mutex_unlock(&mb);
    return 0;
}

int main(void) {
    pthread_t x, y;
    pthread_create(&x, 0, first, 0);
    pthread_create(&y, 0, second, 0);
    pthread_join(x, 0);
    pthread_join(y, 0);
#ifdef BROKEN
    assert(a == 16 && b == 22);
#else
    assert(a == 16 && b == 5);
#endif
}
