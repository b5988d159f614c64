// Two threads and functions of the C library that touch memory of the program. -DCASE: which; -DBROKEN: without a lock.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
char buffer[64];

static void lock(void) {
#ifndef BROKEN
    pthread_mutex_lock(&mutex);
#endif
}

static void unlock(void) {
#ifndef BROKEN
    pthread_mutex_unlock(&mutex);
#endif
}

#if CASE == 1 // Each appends: what one has written the other overwrites.
static void work(long number) {
    lock();
    sprintf(buffer + strlen(buffer), "<%ld>", number);
    unlock();
}
static void check(void) { assert(strlen(buffer) == 6); }
#elif CASE == 2 // Where `strtok` goes on is the whole program's.
static char texts[2][4] = {"x y", "p q"};
static void work(long number) {
    int tokens = 0;
    lock();
    for (char *token = strtok(texts[number], " "); token; token = strtok(0, " "))
        tokens++;
    unlock();
    assert(tokens == 2);
}
static void check(void) {}
#elif CASE == 3 // A text is read while another thread replaces it.
static void work(long number) {
    lock();
    if (number == 0)
        strcpy(buffer, "new");
    else {
        char copy[80];
        snprintf(copy, sizeof copy, "%d %.*f %5s %Lf %s", 1, 2, 0.5, "constant", 1.0L, buffer);
        assert(strstr(copy, "1 0.50 constant"));
    }
    unlock();
}
static void check(void) {}
#elif CASE == 4 // A seed that two threads share.
static unsigned seed = 1;
static void work(long number) {
    lock();
    rand_r(&seed);
    unlock();
    (void)number;
}
static void check(void) {}
#elif CASE == 5 // The block is too small, whoever is first.
static void work(long number) {
#ifdef BROKEN
    char *block = malloc(8);
#else
    char *block = malloc(9);
#endif
    sprintf(block, "%s-%04ld", "abc", number);
    free(block);
}
static void check(void) {}
#elif CASE == 6 // Numbers that are read from a text are written.
static int shared;
static void work(long number) {
    int own;
    double real;
    char word[8], set[8];
    lock();
    assert(sscanf("7 1.5 word ]x 3", "%*d %lf %7s %7[]x] %d", &real, word, set, number ? &own : &shared) == 4);
    assert(real == 1.5 && !strcmp(word, "word") && !strcmp(set, "]x"));
    if (number)
        shared = own;
    unlock();
}
static void check(void) { assert(shared == 3); }
#endif

void *thread(void *number) {
    work((long)number);
    return 0;
}

int main(void) {
    pthread_t threads[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, thread, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
    check();
    return 0;
}
