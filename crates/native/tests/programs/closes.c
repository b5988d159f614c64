// A program that closes every descriptor, its own or not.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

int done;

void *work(void *unused) {
    for (int descriptor = 0; descriptor < 100; descriptor++)
        close(descriptor);
    done++;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    printf("nobody hears this\n");
    assert(done == 1);
    return 0;
}
