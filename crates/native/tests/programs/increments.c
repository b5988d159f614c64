// Two threads that read and write once what the source says, one case for each number.
#include <pthread.h>
#include <stdatomic.h>

struct pair {
    int one, other;
};

int a, b;
struct pair pair;
volatile int watched;
double real;
char small;
_Atomic int counter;
int *volatile_target = &a;

static void *run(void *number) {
    long nth = (long)number;
#if CASE == 1
    // Two numbers.
    a++;
    b++;
#elif CASE == 2
    // The parts of a structure.
    pair.one += 2;
    pair.other -= 1;
#elif CASE == 3
    // Other types, and a place that is worked out.
    real += 1.5;
    small = (char)(small + 1);
#elif CASE == 4
    // One thread writes twice where the other one reads once.
    if (nth)
        return (void *)(long)watched;
    watched = 1;
    a = 2;
    watched = 2;
    if (volatile_target != &a)
        b = 1;
    atomic_fetch_add(&counter, 1);
#elif CASE == 5
    // A branch between two accesses.
    if (a == 0)
        b = (int)nth + 1;
#elif CASE == 6
    // A loop around one.
    for (int i = 0; i < 1; i++)
        a += (int)nth + 1;
#endif
    return 0;
}

int main(void) {
    pthread_t threads[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, run, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
    return 0;
}
