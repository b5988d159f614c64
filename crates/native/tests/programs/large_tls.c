// Thread-local storage of several megabytes. -DBROKEN: another thread is handed the buffer, and writes to it.
#include <assert.h>
#include <pthread.h>
#include <string.h>

static __thread char buffer[MEGABYTES << 20];
static __thread int number = 7;
static char *shared;

static void *run(void *value) {
    assert(number == 7 && buffer[0] == 0 && buffer[sizeof buffer - 1] == 0);
    number = (int)(long)value;
#ifdef BROKEN
    shared[sizeof buffer - 1] = 3;
#else
    buffer[sizeof buffer - 1] = 3;
#endif
    assert(number == (int)(long)value);
    return 0;
}

int main(void) {
    pthread_t threads[2];
    buffer[sizeof buffer - 1] = 1;
    shared = buffer;
    for (long i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, run, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
    assert(number == 7 && buffer[sizeof buffer - 1] == 1);
    return 0;
}
