/* Two threads that take two locks in opposite orders, give up and try again. In each round one of them does something that memory
   does not show. Without flags: it reads a byte of a file, and the seventh is not as it expects. -DPRINTS: it prints a line, which
   nobody in the program can notice. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER, right = PTHREAD_MUTEX_INITIALIZER;
static int file;

static void outside(void) {
#ifdef PRINTS
    printf("once more\n");
#else
    char byte = 0;
    if (read(file, &byte, 1) == 1)
        assert(byte != 'x');
    byte = 0;
#endif
}

static void take(pthread_mutex_t *first, pthread_mutex_t *second, int is_main) {
    for (;;) {
        pthread_mutex_lock(first);
        if (pthread_mutex_trylock(second) == 0)
            break;
        pthread_mutex_unlock(first);
        if (is_main)
            outside();
    }
    pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
}

static void *other(void *argument) {
    take(&right, &left, 0);
    return argument;
}

int main(void) {
    pthread_t thread;
    file = memfd_create("letters", 0);
    assert(write(file, "aaaaaax", 7) == 7 && lseek(file, 0, SEEK_SET) == 0);
    pthread_create(&thread, 0, other, 0);
    take(&left, &right, 1);
    pthread_join(thread, 0);
    return 0;
}
