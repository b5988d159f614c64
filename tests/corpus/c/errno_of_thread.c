//! clean
//! found assertion -DBROKEN
// errno belongs to a thread. Broken: a copy of it is kept in a global variable.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int last_error;

static void *work(void *arg) {
    int mine = (int)(long)arg;
    errno = mine;
    last_error = mine;
#ifdef BROKEN
    assert(last_error == mine);
#else
    assert(errno == mine);
#endif
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, work, (void *)(long)ENOMEM);
    pthread_create(&b, NULL, work, (void *)(long)EAGAIN);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
}
