// Two threads read a byte each by one descriptor. -DBROKEN: the first thread is expected to come first.
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

int descriptor;
char bytes[2];

void *thread(void *number) {
    assert(read(descriptor, &bytes[(long)number], 1) == 1);
    return 0;
}

int main(void) {
    pthread_t threads[2];
    descriptor = open(__FILE__, O_RDONLY);
    assert(lseek(descriptor, 3, SEEK_SET) == 3);
    for (long i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, thread, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
    close(descriptor);
#ifdef BROKEN
    assert(bytes[0] == 'T');
#endif
    assert((bytes[0] == 'T' && bytes[1] == 'w') || (bytes[0] == 'w' && bytes[1] == 'T'));
    return 0;
}
