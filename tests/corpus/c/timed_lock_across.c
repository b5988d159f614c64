//! clean
//! clean {--timeouts last}
//! clean {--timeouts patient}
//! clean {--timeouts last --search dpor}
//! clean {--timeouts last --search dfs}
// Two threads take two locks in opposite orders, one of them with a time-out: that is no deadlock.
#include <pthread.h>
#include <time.h>

pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;

void *work(void *unused) {
    pthread_mutex_lock(&second);
    pthread_mutex_lock(&first);
    pthread_mutex_unlock(&first);
    pthread_mutex_unlock(&second);
    return unused;
}

int main(void) {
    pthread_t worker;
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 5;
    pthread_create(&worker, 0, work, 0);
    pthread_mutex_lock(&first);
    if (pthread_mutex_timedlock(&second, &until) == 0) {
        pthread_mutex_unlock(&second);
    }
    pthread_mutex_unlock(&first);
    pthread_join(worker, 0);
    return 0;
}
