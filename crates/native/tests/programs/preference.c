// A reader locks twice while a writer may come. -DBROKEN: the lock prefers writers, so that the reader waits for the writer, who
// waits for the reader.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>

#ifdef BROKEN
pthread_rwlock_t lock = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
#else
pthread_rwlock_t lock;
#endif
int x;

void *reads(void *unused) {
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_rdlock(&lock);
    int seen = x;
    assert(seen == x);
    pthread_rwlock_unlock(&lock);
    pthread_rwlock_unlock(&lock);
    return unused;
}

void *writes(void *unused) {
    pthread_rwlock_wrlock(&lock);
    x++;
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t a, b;
#ifndef BROKEN
    pthread_rwlockattr_t attribute;
    pthread_rwlockattr_init(&attribute);
    pthread_rwlockattr_setkind_np(&attribute, PTHREAD_RWLOCK_PREFER_READER_NP);
    pthread_rwlock_init(&lock, &attribute);
#endif
    pthread_create(&a, 0, reads, 0);
    pthread_create(&b, 0, writes, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(x == 1);
    return 0;
}
