// A loop without an end in which nothing visible happens.
#include <pthread.h>
#include <stdlib.h>

static int data = 1;

static void *work(void *_) {
    data++;
    return 0;
}

int main(void) {
#ifdef BESIDE
    // A thread that can move, and cannot change what main does.
    pthread_t a;
    pthread_create(&a, 0, work, 0);
#endif
#if defined COUNTS
    for (unsigned long i = 0; i + 1 != 0; i++)
        ;
#elif defined DRAWS
    while (rand() >= 0)
        ;
#elif defined SHARED
    // No other thread can change the variable.
    while (data)
        ;
#else
    for (;;) {
        int i = 0;
        i = i + 1;
    }
#endif
}
