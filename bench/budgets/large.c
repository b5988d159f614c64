/* A process of its own that takes 100 MB. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
void *work(void *unused) {
    for (int i = 0; i < 200; i++) {
        pthread_mutex_lock(&lock);
        pthread_mutex_unlock(&lock);
    }
    return unused;
}
int main(void) {
    char *memory = malloc(100 << 20);
    memset(memory, 1, 100 << 20);
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    work(0);
    pthread_join(a, 0);
    free(memory);
}
