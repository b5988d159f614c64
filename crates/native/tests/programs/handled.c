/* A thread sends itself a signal: its handler has run when it goes on. If BROKEN, the handler does not take the lock. */
#include <assert.h>
#include <pthread.h>
#include <signal.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sum;
static _Thread_local int handled;

static void handler(int number) {
    assert(number == SIGUSR1);
    handled = 1;
#ifdef BROKEN
    sum++;
#else
    pthread_mutex_lock(&lock);
    sum++;
    pthread_mutex_unlock(&lock);
#endif
}

static void *start(void *unused) {
    raise(SIGUSR1);
    assert(handled);
    pthread_kill(pthread_self(), SIGUSR1);
    return unused;
}

int main(void) {
    pthread_t a, b;
    signal(SIGUSR1, handler);
    pthread_create(&a, 0, start, 0);
    pthread_create(&b, 0, start, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(sum == 4);
    return 0;
}
