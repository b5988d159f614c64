//! clean
//! found exit -DBROKEN
// A test runner that counts failures in its exit status.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int count;

static void *work(void *_) {
#ifdef BROKEN
    int seen = count;
    count = seen + 1;
#else
    count++;
#endif
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return count == 2 ? 0 : 1;
}
