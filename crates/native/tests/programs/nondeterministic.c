// A program that looks at what differs from run to run.
#include <pthread.h>
#include <stdint.h>

int x[64];

void *work(void *unused) {
    uint32_t low, high;
    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
    x[(low >> 4) % 64] = 1;
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
