//! clean
//! found deadlock -DBROKEN
// An error leaves a critical section by longjmp. Broken: the lock stays taken.
#include <pthread.h>
#include <setjmp.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int total;

static void add(int number, jmp_buf *failed) {
    pthread_mutex_lock(&lock);
    if (number < 0) {
#ifndef BROKEN
        pthread_mutex_unlock(&lock);
#endif
        longjmp(*failed, 1);
    }
    total += number;
    pthread_mutex_unlock(&lock);
}

static void *work(void *arg) {
    jmp_buf failed;
    if (setjmp(failed) == 0)
        add((int)(long)arg, &failed);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, (void *)-1L);
    work((void *)1L);
    pthread_join(thread, NULL);
}
