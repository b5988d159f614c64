// One thread writes to a block that another one frees.
#include <pthread.h>
#include <stdlib.h>

int *block;

void *writer(void *unused) {
    *block = 1;
    return unused;
}

int main(void) {
    pthread_t other;
    block = malloc(sizeof *block);
    pthread_create(&other, 0, writer, 0);
#ifdef BROKEN
    free(block);
    pthread_join(other, 0);
#else
    pthread_join(other, 0);
    free(block);
#endif
    return 0;
}
