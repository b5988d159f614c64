// What belongs to a thread: keys with destructors, errno, cleanup handlers, results; and the C library inside threads.
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

pthread_key_t key;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int destroyed, cleaned;

void destroy(void *value) {
    pthread_mutex_lock(&lock);
    destroyed++;
    pthread_mutex_unlock(&lock);
    free(value);
}

void clean(void *unused) {
    cleaned++;
    (void)unused;
}

void *work(void *argument) {
    char text[16];
    assert(pthread_getspecific(key) == 0);
    pthread_setspecific(key, malloc(4));
    snprintf(text, sizeof text, "%d", (int)(long)argument);
    assert(isdigit(text[0]));
    errno = EAGAIN;
    pthread_cleanup_push(clean, 0);
    if (argument)
        pthread_exit((void *)3);
    pthread_cleanup_pop(0);
    assert(errno == EAGAIN);
    return (void *)2;
}

int main(void) {
    pthread_t threads[2];
    void *first, *second;
    pthread_key_create(&key, destroy);
    for (long i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, work, (void *)i);
    pthread_join(threads[0], &first);
    pthread_join(threads[1], &second);
    assert(first == (void *)2 && second == (void *)3 && destroyed == 2 && cleaned == 1);
    printf("destroyed %d\n", destroyed);
    return 0;
}
