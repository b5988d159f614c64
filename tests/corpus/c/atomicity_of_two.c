//! clean
//! found assertion -DBROKEN
// Each access is locked, the pair of them is not.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int seats = 1, sold;

static int left(void) { pthread_mutex_lock(&m); int n = seats; pthread_mutex_unlock(&m); return n; }
static void sell(void) { pthread_mutex_lock(&m); seats--; sold++; pthread_mutex_unlock(&m); }

static void *agent(void *_) {
#ifdef BROKEN
    if (left() > 0)
        sell();
#else
    pthread_mutex_lock(&m);
    if (seats > 0) {
        seats--;
        sold++;
    }
    pthread_mutex_unlock(&m);
    (void)left;
    (void)sell;
#endif
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, agent, 0);
    pthread_create(&b, 0, agent, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(sold <= 1);
}
