//! unsupported
// A pipe between threads of one process is outside of the schedule: it is refused by name.
#include <pthread.h>
#include <unistd.h>

static int ends[2];

static void *work(void *unused) {
    char byte = 1;
    if (write(ends[1], &byte, 1) != 1)
        return unused;
    return NULL;
}

int main(void) {
    if (pipe(ends) != 0)
        return 1;
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    char byte = 0;
    if (read(ends[0], &byte, 1) != 1)
        return 1;
    pthread_join(thread, NULL);
    return byte != 1;
}
