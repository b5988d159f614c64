// A thread waits for signals that are blocked everywhere, as daemons have it. -DCASE=1: nobody sends any, and main does not wait;
// 2: main sends one; 3: main waits for a thread that waits for ever; 4: the signal is not blocked; 5: main sends one to the
// process; 6: and one to the thread as well; 7: before there is another thread, and has a handler.
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

int got;

void handler(int signal) {
    got = signal;
}

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
#if CASE == 7
    pthread_sigmask(SIG_SETMASK, &old, 0);
    signal(SIGUSR1, handler);
    assert(kill(getpid(), SIGUSR1) == 0 && got == SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, &old);
    got = 0;
#endif
    // What an earlier execution has set is forgotten.
    sigaction(SIGPIPE, &action, &before);
    assert(before.sa_handler == SIG_DFL);
    pthread_create(&listener, 0, listen_to, &set);
#if CASE == 5 || CASE == 6 || CASE == 7
    assert(kill(getpid(), 0) == 0);
    kill(getpid(), SIGUSR1);
#endif
#if CASE == 2 || CASE == 4 || CASE == 6
    assert(pthread_kill(listener, 0) == 0);
    pthread_kill(listener, SIGUSR1);
#endif
#if CASE != 1
    pthread_join(listener, 0);
    assert(got == SIGUSR1);
#endif
    return 0;
}
