// Calls that are not modelled, one for each number.
#include <aio.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <stdio.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <unistd.h>

void *work(void *unused) {
    return unused;
}

int main(void) {
    char byte;
#if CASE == 1
    return fork();
#elif CASE == 2
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_cancel(thread);
#elif CASE == 3
    return socket(AF_INET, SOCK_STREAM, 0);
#elif CASE == 4
    return (int)read(0, &byte, 1);
#elif CASE == 5
    return getchar();
#elif CASE == 6
    return fgetc(stdin);
#elif CASE == 7
    return epoll_create1(0);
#elif CASE == 8
    struct aiocb request = {.aio_buf = &byte, .aio_nbytes = 1};
    return aio_read(&request);
#elif CASE == 9
    struct sembuf change = {0, -1, 0};
    return semop(0, &change, 1);
#endif
    (void)byte;
    return 0;
}
