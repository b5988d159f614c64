//! clean
//! found deadlock -DBROKEN
//! found deadlock|hang|livelock -DBROKEN -DDUPLICATE
//! clean -DDUPLICATE
// An eventfd wakes a thread of the same process, also through a duplicate of its descriptor. Broken: it is never written.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

static int event;

static void *wake(void *unused) {
#ifndef BROKEN
    uint64_t one = 1;
    assert(write(event, &one, sizeof one) == sizeof one);
#endif
    return unused;
}

int main(void) {
    event = eventfd(0, 0);
#ifdef DUPLICATE
    int from = dup(event);
#else
    int from = event;
#endif
    pthread_t thread;
    pthread_create(&thread, NULL, wake, NULL);
    uint64_t count;
    assert(read(from, &count, sizeof count) == sizeof count);
    assert(count == 1);
    pthread_join(thread, NULL);
    close(from);
}
