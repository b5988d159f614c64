// Two threads read lines of one file: who comes first gets the first one. -DBROKEN: the second thread expects to come second;
// else both read under a lock of the stream, and expect two lines that belong together.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

FILE *file;

void *thread(void *number) {
    char first[64], second[64];
#ifdef BROKEN
    assert(fgets(first, sizeof first, file));
    assert(!number || strncmp(first, "// Two", 6) != 0);
    (void)second;
#else
    flockfile(file);
    assert(fgets(first, 7, file) && fgets(second, 9, file));
    funlockfile(file);
    assert((strcmp(first, "// Two") == 0 && strcmp(second, " threads") == 0) || strcmp(first, " read ") == 0);
#endif
    return number;
}

int main(void) {
    pthread_t threads[2];
    file = fopen(__FILE__, "r");
    assert(file);
    for (long i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, thread, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
    fclose(file);
    return 0;
}
