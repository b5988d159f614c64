/* Two threads take two locks in opposite orders; each gives back its first one if it cannot have the second, and tries again.
   They can go on like that for ever, so that how often each has failed is counted up to two only. The arguments say which
   end must not be: the two counts, and who had both locks first. If SLEEPS, they sleep before they try again; if GIVES_UP,
   the second one has no more than the time of three such sleeps. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int failures[2], first = -1, gave_up;

static void *run(void *argument) {
    long own = (long)argument;
    for (;;) {
        pthread_mutex_lock(&locks[own]);
        if (pthread_mutex_trylock(&locks[1 - own]) == 0)
            break;
        pthread_mutex_unlock(&locks[own]);
        if (failures[own] < 2)
            failures[own]++;
#ifdef SLEEPS
        usleep(100);
#endif
#ifdef GIVES_UP
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        if (own == 1 && now.tv_nsec >= 300000) {
            gave_up = 1;
            return NULL;
        }
#endif
    }
    if (first < 0)
        first = own;
    pthread_mutex_unlock(&locks[1 - own]);
    pthread_mutex_unlock(&locks[own]);
    return NULL;
}

int main(int count, char **arguments) {
    pthread_t threads[2];
    for (long own = 0; own < 2; own++)
        pthread_create(&threads[own], NULL, run, (void *)own);
    for (int own = 0; own < 2; own++)
        pthread_join(threads[own], NULL);
    assert(!gave_up);
    assert(count < 4 || failures[0] != atoi(arguments[1]) || failures[1] != atoi(arguments[2]) ||
           first != atoi(arguments[3]));
    return 0;
}
