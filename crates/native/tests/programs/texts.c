// Two threads and functions of the C library that touch memory of the program. -DCASE: which; -DBROKEN: without a lock.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

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
#elif CASE == 7 // The date that `localtime` gives is the whole program's.
static void work(long number) {
    time_t moment = number;
    lock();
    int second = localtime(&moment)->tm_sec;
    unlock();
    assert(second == number);
}
static void check(void) {}
#elif CASE == 8 // So is the text that `ctime` gives.
static void work(long number) {
    time_t moment = number;
    lock();
    int second = ctime(&moment)[18] - '0';
    unlock();
    assert(second == number);
}
static void check(void) {}
#elif CASE == 9 // Each has a date and a text of its own, made from one that nobody writes.
static const time_t day = 86400;
static void work(long number) {
    struct tm date;
    char text[26], own[80];
    assert(gmtime_r(&day, &date) == &date && date.tm_mday == 2);
    assert(!strcmp(asctime_r(&date, text), "Fri Jan  2 00:00:00 1970\n"));
    assert(strftime(own, sizeof own, "%Y-%m-%d", &date) == 10 && !strcmp(own, "1970-01-02"));
    assert(strftime(own, 4, "%Y-%m-%d", &date) == 0);
    assert(ctime_r(&day, text) == text && text[25] == 0);
    date.tm_mday = 32;
    assert(mktime(&date) != -1 && date.tm_mday == 1 && date.tm_mon == 1);
    (void)number;
}
static void check(void) {}
#elif CASE == 10 // A word is cut off a text that both go through.
static char line[] = "a,b";
static char *rest = line;
static void work(long number) {
    lock();
    assert(!strncasecmp(rest, number < 2 ? rest : "", 1));
    char *word = strsep(&rest, ",");
    unlock();
    assert(word && strlen(word) == 1);
}
static void check(void) { assert(!rest && !strcmp(line, "a")); }
#elif CASE == 11 // The time is written where the program says.
static struct timespec now;
static void work(long number) {
    lock();
    clock_gettime(CLOCK_MONOTONIC, &now);
    unlock();
    (void)number;
}
static void check(void) {}
#elif CASE == 12 // One looks for a variable of the environment while another sets one.
static void work(long number) {
    lock();
    if (number)
        assert(setenv("SOJOURNER_TEST", "1", 1) == 0);
    else
        getenv("SOJOURNER_TEST");
    unlock();
}
static void check(void) { assert(!strcmp(getenv("SOJOURNER_TEST"), "1")); }
#elif CASE == 13 // What is compared is read, also where an optimiser knows a shorter way.
static void work(long number) {
    lock();
    if (number)
        buffer[1] = 'x';
    else
        assert(memcmp(buffer, "abcd", 4) && strcmp(buffer, "abcd") && strncmp(buffer, "ab", 2));
    unlock();
}
static void check(void) {}
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
