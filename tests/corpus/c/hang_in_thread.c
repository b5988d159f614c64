//! found hang
//! found hang -O2
//! found hang {--isolate}
//! clean -DENDS
// A thread never finishes, and main waits for its end.
#include <pthread.h>

static unsigned odd(unsigned n) { return n * 3 + 1; }

static void *work(void *_) {
    unsigned n = 7;
    // 4, 2, 1 and again.
    while (n != 0) {
        n = n % 2 ? odd(n) : n / 2;
#ifdef ENDS
        if (n == 1)
            break;
#endif
    }
    return 0;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    pthread_join(a, 0);
}
