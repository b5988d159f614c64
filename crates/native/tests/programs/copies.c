/* What is copied is what is there when it is written: at the end all of it, or none, has been changed in between. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct record {
    long first, second, third;
};

static struct record from, to, last;

static void *copier(void *unused) {
#ifdef CALLS
    memcpy(&to, &from, sizeof to);
#else
    to = from;
#endif
    return unused;
}

static void *writer(void *unused) {
    from.second = 1;
    return unused;
}

static void *reader(void *unused) {
    last = to;
    return unused;
}

int main(void) {
    pthread_t threads[3];
    pthread_create(&threads[0], 0, copier, 0);
    pthread_create(&threads[1], 0, writer, 0);
    pthread_create(&threads[2], 0, reader, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], 0);
    exit((int)(to.second * 2 + last.second));
}
