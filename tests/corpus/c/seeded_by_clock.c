//! clean
//! found assertion -DBROKEN
// A generator of the program's own that is seeded by the clock; what it draws decides nothing that is checked.
#include <assert.h>
#include <pthread.h>
#include <time.h>

static unsigned state;
static _Atomic int rounds;

static unsigned draw(void) {
    state = state * 1103515245u + 12345u;
    return state >> 16 & 1;
}

static void *work(void *unused) {
    rounds++;
    return unused;
}

int main(void) {
    state = (unsigned)time(NULL);
    pthread_t a, b;
    unsigned both = draw();
    pthread_create(&a, NULL, work, NULL);
    if (both)
        pthread_create(&b, NULL, work, NULL);
#ifdef BROKEN
    assert(rounds == 0);
#endif
    pthread_join(a, NULL);
    if (both)
        pthread_join(b, NULL);
    assert(rounds >= 1);
}
