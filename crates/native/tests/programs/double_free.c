// Two threads free a block.
#include <pthread.h>
#include <stdlib.h>

int *block;

void *release(void *unused) {
    free(block);
    return unused;
}

int main(void) {
    pthread_t other;
    block = malloc(sizeof *block);
    pthread_create(&other, 0, release, 0);
#ifdef BROKEN
    free(block);
#endif
    pthread_join(other, 0);
    return 0;
}
