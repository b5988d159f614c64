/* Two threads raise flags and take them back as long as the other one's is raised: each changes what the other looks at, and
   they can go on like that for ever. A third one, if it is there, does something else. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flags[2], beside;
static int within;

static void *enter(void *argument) {
    long own = (long)argument;
    atomic_store(&flags[own], 1);
    while (atomic_load(&flags[1 - own])) {
        atomic_store(&flags[own], 0);
        atomic_store(&flags[own], 1);
    }
    assert(++within == 1);
    within--;
#ifdef BROKEN
    assert(!atomic_load(&beside));
#endif
    atomic_store(&flags[own], 0);
    return NULL;
}

#ifdef BROKEN
static void *look_on(void *argument) {
    atomic_store(&beside, 1);
    return argument;
}
#endif

int main(void) {
    pthread_t threads[3];
    for (long own = 0; own < 2; own++)
        pthread_create(&threads[own], NULL, enter, (void *)own);
#ifdef BROKEN
    pthread_create(&threads[2], NULL, look_on, NULL);
    pthread_join(threads[2], NULL);
#endif
    for (int own = 0; own < 2; own++)
        pthread_join(threads[own], NULL);
    return 0;
}
