// A thread waits for signals that are blocked everywhere, as daemons have it. -DCASE=1: nobody sends any, and main does not wait;
// 2: main sends one; 3: main waits for a thread that waits for ever; 4: the signal is not blocked.
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>

int got;

void *listen_to(void *set) {
    int signal = 0;
    if (sigwait(set, &signal) == 0)
        got = signal;
    return 0;
}

int main(void) {
    pthread_t listener;
    sigset_t set, old;
    struct sigaction action = {.sa_handler = SIG_IGN}, before;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigaddset(&set, SIGTERM);
#if CASE != 4
    pthread_sigmask(SIG_BLOCK, &set, &old);
    assert(!sigismember(&old, SIGUSR1));
#endif
    // What an earlier execution has set is forgotten.
    sigaction(SIGPIPE, &action, &before);
    assert(before.sa_handler == SIG_DFL);
    pthread_create(&listener, 0, listen_to, &set);
#if CASE == 2 || CASE == 4
    assert(pthread_kill(listener, 0) == 0);
    pthread_kill(listener, SIGUSR1);
#endif
#if CASE != 1
    pthread_join(listener, 0);
    assert(got == SIGUSR1);
#endif
    return 0;
}
