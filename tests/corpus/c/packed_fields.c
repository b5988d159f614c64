//! clean
//! found race -DBROKEN
// Fields of a packed structure share a word, and threads that write them do not race. Broken: both write one field.
#include <pthread.h>
#include <stdint.h>

static struct __attribute__((packed)) {
    uint8_t first;
    uint32_t second;
    uint16_t third;
} fields;

static void *work(void *unused) {
    fields.second = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
#ifdef BROKEN
    fields.second = 2;
#else
    fields.first = 2;
    fields.third = 2;
#endif
    pthread_join(thread, NULL);
}
