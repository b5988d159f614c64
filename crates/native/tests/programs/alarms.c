// Alarms, one case for each number.
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t rung;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int sum;

static void ring(int number) {
    assert(number == SIGALRM);
    rung++;
}

static void *run(void *unused) {
    pthread_mutex_lock(&mutex);
    sum++;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t thread;
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGALRM);
    // Threads that are created have it blocked.
    pthread_sigmask(SIG_BLOCK, &set, 0);
    pthread_create(&thread, 0, run, 0);
#if CASE != 4
    pthread_sigmask(SIG_UNBLOCK, &set, 0);
    signal(SIGALRM, ring);
#endif
#if CASE == 1
    // -DBROKEN: nobody rings.
#ifndef BROKEN
    alarm(2);
#endif
    while (!rung)
        pause();
    assert(rung == 1);
#elif CASE == 2
    // It cuts sleep short. -DBROKEN: that is not thought of.
    alarm(2);
    unsigned left = sleep(5);
#ifdef BROKEN
    assert(left == 0);
#else
    assert(left == 3 && rung == 1);
#endif
#elif CASE == 3
    // Taken back in time.
    struct itimerval timer = {{0, 0}, {3, 0}};
    setitimer(ITIMER_REAL, &timer, 0);
    sleep(1);
#ifdef BROKEN
    sleep(2);
#endif
    alarm(0);
    sleep(9);
    assert(!rung);
#elif CASE == 4
    // Waited for where it is blocked.
    int number = 0;
    alarm(1);
    sigwait(&set, &number);
    assert(number == SIGALRM);
#ifdef BROKEN
    sigwait(&set, &number);
#endif
#elif CASE == 5
    // Without a handler it ends the program.
    signal(SIGALRM, SIG_DFL);
    alarm(1);
    sleep(
#ifdef BROKEN
        1
#else
        0
#endif
    );
#elif CASE == 6
    // A loop that looks at nothing but what the handler changes.
    alarm(1);
    while (!rung)
        ;
#elif CASE == 7
    // A loop that looks at the clock.
    alarm(1);
    time_t end = time(0) + 3;
    while (time(0) < end)
        ;
    assert(rung);
#endif
    pthread_join(thread, 0);
    assert(sum == 1);
    return 0;
}
