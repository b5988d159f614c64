// A pointer is used before it has been set.
#include <pthread.h>

int value, *pointer;

void *set(void *unused) {
    pointer = &value;
    return unused;
}

int main(void) {
    pthread_t other;
    pthread_create(&other, 0, set, 0);
    *pointer = 1;
    pthread_join(other, 0);
    return 0;
}
