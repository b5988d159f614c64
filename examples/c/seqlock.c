// A sequence lock: readers take no lock, but read again if the number that the writer counts up before and behind its writes is
// odd or has changed. -DBROKEN: a reader does not look at the number again.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef READERS
#define READERS 2
#endif
#ifndef WRITES
#define WRITES 1
#endif

atomic_uint sequence;
atomic_int low, high;

void *write_pair(void *unused) {
    for (int i = 1; i <= WRITES; i++) {
        sequence++;
        low = i;
        high = -i;
        sequence++;
    }
    return unused;
}

void *read_pair(void *unused) {
    unsigned before;
    int a, b;
    do {
        do
            before = sequence;
        while (before % 2);
        a = low;
        b = high;
#ifdef BROKEN
    } while (0);
#else
    } while (sequence != before);
#endif
    assert(a == -b);
    return unused;
}

int main(void) {
    pthread_t writer, readers[READERS];
    pthread_create(&writer, 0, write_pair, 0);
    for (int i = 0; i < READERS; i++)
        pthread_create(&readers[i], 0, read_pair, 0);
    pthread_join(writer, 0);
    for (int i = 0; i < READERS; i++)
        pthread_join(readers[i], 0);
    return 0;
}
