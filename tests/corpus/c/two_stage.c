//! clean
//! found assertion -DBROKEN
// Two values are written under two locks; the reader takes both in one go or, broken, one after the other.
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static int data1, data2;

static void *write_both(void *arg) {
    pthread_mutex_lock(&first);
    data1 = 1;
#ifdef BROKEN
    int one = data1;
    pthread_mutex_unlock(&first);
    pthread_mutex_lock(&second);
    data2 = one + 1;
    pthread_mutex_unlock(&second);
#else
    pthread_mutex_lock(&second);
    data2 = data1 + 1;
    pthread_mutex_unlock(&second);
    pthread_mutex_unlock(&first);
#endif
    return arg;
}

static void *read_both(void *arg) {
    pthread_mutex_lock(&first);
    if (data1 == 0) {
        pthread_mutex_unlock(&first);
        return arg;
    }
    int one = data1;
    pthread_mutex_unlock(&first);
    pthread_mutex_lock(&second);
    int two = data2;
    pthread_mutex_unlock(&second);
    assert(two == one + 1);
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, write_both, 0);
    pthread_create(&b, 0, read_both, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
