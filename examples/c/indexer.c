// Threads insert into a hash table; each cell has a lock of its own; from twelve threads on, two meet in a cell
// (Flanagan & Godefroid 2005; Yang et al. 2007).
#include <pthread.h>

#ifndef THREADS
#define THREADS 12
#endif
#define SIZE 128
#define MOST 4

int table[SIZE];
pthread_mutex_t locks[SIZE];

void *insert(void *argument) {
    int thread = (int)(long)argument;
    for (int m = 0; m < MOST;) {
        int message = ++m * 11 + thread;
        int cell = message * 7 % SIZE;
        int done = 0;
        while (!done) {
            pthread_mutex_lock(&locks[cell]);
            if (table[cell] == 0) {
                table[cell] = message;
                done = 1;
            }
            pthread_mutex_unlock(&locks[cell]);
            if (!done)
                cell = (cell + 1) % SIZE;
        }
    }
    return 0;
}

int main(void) {
    pthread_t threads[THREADS];
    for (int i = 0; i < SIZE; i++)
        pthread_mutex_init(&locks[i], 0);
    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, insert, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
    return 0;
}
