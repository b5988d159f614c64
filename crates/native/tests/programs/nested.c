// A function within another one, which GNU C reaches by code that it puts on the stack.
#include <assert.h>
#include <pthread.h>

int main(void) {
    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    int count = 0;
    void *add(void *unused) {
        pthread_mutex_lock(&lock);
        count++;
        pthread_mutex_unlock(&lock);
        return unused;
    }
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, add, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
    assert(count == 2);
    return 0;
}
