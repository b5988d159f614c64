// Threads that wake each other by eventfd, one case for each number.
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

static int event, data, sum;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void post(uint64_t number) {
    assert(write(event, &number, sizeof number) == sizeof number);
}

static void *run(void *unused) {
#if CASE == 1
    // What is written before the event is seen behind it. -DBROKEN: it is written too late.
#ifndef BROKEN
    data = 42;
#endif
    post(1);
#ifdef BROKEN
    data = 42;
#endif
#elif CASE == 2
    // Each adds to what is counted.
    eventfd_write(event, 2);
#elif CASE == 3
    // One is taken at a time. -DBROKEN: there are too few.
    uint64_t one;
    read(event, &one, sizeof one);
    assert(one == 1);
    pthread_mutex_lock(&mutex);
    sum++;
    pthread_mutex_unlock(&mutex);
#elif CASE == 4
    // Who does not block may come too early.
    post(1);
#elif CASE == 5
    // Waiting by poll.
    data = 42;
    post(1);
#elif CASE == 6
    // Writing to one descriptor, reading from its duplicates. -DBROKEN: one write for two reads.
    post(1);
#ifndef BROKEN
    post(1);
#endif
#elif CASE == 7
    // The event lives on while one of its descriptors is open. -DBROKEN: the last one is closed.
    uint64_t one;
    assert(read(event, &one, sizeof one) == sizeof one);
#endif
    return unused;
}

int main(void) {
    pthread_t threads[2];
    uint64_t number = 0;
#if CASE == 3
    event = eventfd(0, EFD_SEMAPHORE);
#elif CASE == 4
    event = eventfd(0, EFD_NONBLOCK);
#else
    event = eventfd(0, 0);
#endif
    int count = CASE == 2 || CASE == 3 ? 2 : 1;
    for (int i = 0; i < count; i++)
        pthread_create(&threads[i], 0, run, 0);
#if CASE == 1
    assert(read(event, &number, sizeof number) == sizeof number && number == 1);
    assert(data == 42);
#elif CASE == 2
    uint64_t all = 0;
    while (all < 4) {
        eventfd_read(event, &number);
#ifdef BROKEN
        assert(number == 2);
#else
        assert(number == 2 || number == 4);
#endif
        all += number;
    }
#elif CASE == 3
#ifdef BROKEN
    post(1);
#else
    post(2);
#endif
#elif CASE == 4
    if (read(event, &number, sizeof number) < 0) {
#ifdef BROKEN
        assert(0);
#endif
        assert(errno == EAGAIN);
    }
#elif CASE == 5
    struct pollfd polled = {event, POLLIN, 0};
#ifdef BROKEN
    assert(poll(&polled, 1, 10) == 1);
#else
    assert(poll(&polled, 1, -1) == 1 && polled.revents == POLLIN);
#endif
    assert(data == 42);
#elif CASE == 6
    int second = dup(event), third = fcntl(event, F_DUPFD, 20), fourth = dup2(event, 30);
    assert(second >= 0 && third >= 20 && fourth == 30);
    assert(read(second, &number, sizeof number) == sizeof number);
    if (number == 1)
        assert(read(third, &number, sizeof number) == sizeof number);
    close(second);
    close(third);
    assert(eventfd_write(fourth, 1) == 0);
#elif CASE == 7
    int kept = dup(event), replaced = eventfd(0, 0);
    post(1);
#ifdef BROKEN
    close(event);
    close(kept);
#else
    // Another event is behind the number now, and closing it leaves the first one open.
    assert(dup2(kept, replaced) == replaced);
    close(kept);
    assert(poll(&(struct pollfd){replaced, POLLIN, 0}, 1, 0) >= 0);
    assert(eventfd_write(replaced, 1) == 0);
#endif
#endif
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], 0);
#if CASE == 3
    assert(sum == 2);
#endif
    close(event);
    return 0;
}
