// What is called when a program ends, while a thread lives on: CASE=1 a function that is told the status, 2 one of quick_exit,
// 3 one with the attribute destructor. If BROKEN, it expects that the thread has done nothing yet.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int done;

static void look(void) {
#ifdef BROKEN
    assert(!done);
#endif
}

#if CASE == 1
static void look_with_status(int status, void *argument) {
    assert(status == 3 && argument == &done);
    look();
}
#elif CASE == 3
__attribute__((destructor)) static void look_at_last(void) {
    look();
}
#endif

static void *work(void *unused) {
    done = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
#if CASE == 1
    on_exit(look_with_status, &done);
#elif CASE == 2
    at_quick_exit(look);
#endif
    pthread_create(&thread, 0, work, 0);
#if CASE == 2
    quick_exit(3);
#endif
    return 3;
}
