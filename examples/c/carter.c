// Two groups use a room, never both at once: the first of a group to come locks it, the last to go unlocks it (SCTBench).
// -DBROKEN: both groups count under one lock. A thread that waits for the room holds it, and those inside cannot leave.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t room = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t counting[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
int present[2], inside;

void *visit(void *argument) {
    int group = (int)(long)argument;
#ifdef BROKEN
    pthread_mutex_t *count = &counting[0];
#else
    pthread_mutex_t *count = &counting[group];
#endif
    pthread_mutex_lock(count);
    if (++present[group] == 1)
        pthread_mutex_lock(&room);
    pthread_mutex_unlock(count);

    inside++;
    assert(inside == 1);
    inside--;

    pthread_mutex_lock(count);
    if (--present[group] == 0)
        pthread_mutex_unlock(&room);
    pthread_mutex_unlock(count);
    return 0;
}

int main(void) {
    pthread_t visitors[2];
    for (long group = 0; group < 2; group++)
        pthread_create(&visitors[group], 0, visit, (void *)group);
    for (int group = 0; group < 2; group++)
        pthread_join(visitors[group], 0);
    return 0;
}
