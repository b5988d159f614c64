//! found deadlock|hang
//! found deadlock -DRETURNS
// Two threads deadlock while a third one ticks, or while main returns.
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static atomic_int ticks, done;

static void *first(void *_) {
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    done++;
    return 0;
}

static void *second(void *_) {
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    done++;
    return 0;
}

int main(void) {
    pthread_t x, y;
    pthread_create(&x, 0, first, 0);
    pthread_create(&y, 0, second, 0);
#ifdef RETURNS
    return 0;
#else
    while (done < 2) {
        ticks = !ticks;
        usleep(1000);
    }
    return 0;
#endif
}
