// A program that looks at what differs from run to run.
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

int x[64];

void *work(void *unused) {
    unsigned char number = 0;
    int device = open("/proc/sys/kernel/random/uuid", O_RDONLY);
    read(device, &number, 1);
    close(device);
    x[number % 64] = 1;
    x[0] = 2;
    return unused;
}

int main(void) {
    pthread_t other;
    pthread_create(&other, 0, work, 0);
    x[0] = 1;
    pthread_join(other, 0);
    return 0;
}
