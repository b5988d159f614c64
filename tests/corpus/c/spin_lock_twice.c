//! clean
//! found deadlock|hang|misuse -DBROKEN
// A thread takes a spin lock of the library that it already has.
#include <pthread.h>

static pthread_spinlock_t lock;
static int counter;

static void *work(void *unused) {
    pthread_spin_lock(&lock);
    counter++;
#ifdef BROKEN
    pthread_spin_lock(&lock);
    pthread_spin_unlock(&lock);
#endif
    pthread_spin_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    work(NULL);
    pthread_join(thread, NULL);
}
