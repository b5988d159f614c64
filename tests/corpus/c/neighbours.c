//! clean
//! found race -DBROKEN
// Threads that write to neighbouring bytes do not race. Broken: one of them writes both bytes at once.
#include <pthread.h>
#include <stdint.h>
#include <string.h>

static union {
    uint16_t both;
    uint8_t each[2];
} cell;

static void *work(void *unused) {
#ifdef BROKEN
    cell.both = 0x0101;
#else
    cell.each[1] = 1;
#endif
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    cell.each[0] = 1;
    pthread_join(thread, NULL);
}
