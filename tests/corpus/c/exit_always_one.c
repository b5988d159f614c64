//! clean
//! found exit {--exit}
// The same status under every schedule is a caveat, and a finding on request.
#include <pthread.h>

static void *work(void *_) { return 0; }

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    pthread_join(a, 0);
    return 1;
}
