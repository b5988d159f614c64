/* One thread takes a mutex twice. The other looks at a variable under that mutex until it changes: it cannot look any more. */
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int ready;

static void *looks(void *argument) {
    for (int seen = 0; !seen;) {
        pthread_mutex_lock(&mutex);
        seen = ready;
        pthread_mutex_unlock(&mutex);
    }
    return argument;
}

static void *locks(void *argument) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_lock(&mutex);
    return argument;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, 0, looks, 0);
    pthread_create(&other, 0, locks, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    return 0;
}
