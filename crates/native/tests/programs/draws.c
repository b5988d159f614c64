// Random numbers of which one value is explored, one case for each number.
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>
#if CASE == 8
#include <immintrin.h>
#endif

static int draw(void) {
    unsigned char byte = 0;
#if CASE == 1
    getrandom(&byte, 1, 0);
#elif CASE == 2
    getentropy(&byte, 1);
#elif CASE == 3
    int device = open("/dev/urandom", O_RDONLY);
    read(device, &byte, 1);
    close(device);
#elif CASE == 4
    FILE *device = fopen("/dev/random", "r");
    fread(&byte, 1, 1, device);
    fclose(device);
#elif CASE == 5
    srand((unsigned)time(0));
    byte = (unsigned char)rand();
#elif CASE == 6
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    srandom((unsigned)(now.tv_nsec ^ getpid()));
    byte = (unsigned char)random();
#elif CASE == 7
    srand48(time(0));
    byte = (unsigned char)lrand48();
#elif CASE == 8
    unsigned number;
    while (!_rdrand32_step(&number))
        ;
    byte = (unsigned char)number;
#elif CASE == 9
    // Without a seed: nothing to tell of.
    byte = (unsigned char)rand();
#elif CASE == 10
    // With a seed of the program's own, whatever the time.
    time(0);
    srand(42);
    byte = (unsigned char)rand();
#elif CASE == 11
    extern unsigned arc4random(void);
    byte = (unsigned char)arc4random();
#endif
    return byte;
}

static int numbers[256];

static void *run(void *unused) {
#if CASE == 12
    // Threads draw from one row.
    numbers[0] += rand() & 1;
#endif
    return unused;
}

int main(void) {
#if CASE != 12
    numbers[draw()]++;
#endif
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, run, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
    return 0;
}
