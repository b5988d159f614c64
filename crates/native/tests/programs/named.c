// A semaphore with a name. -DBROKEN: each thread opens one of its own.
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>

int x;

void *thread(void *number) {
#ifdef BROKEN
    const char *name = number ? "/one" : "/other";
#else
    const char *name = "/one";
#endif
    sem_t *semaphore = sem_open(name, O_CREAT, 0600, 1);
    assert(semaphore != SEM_FAILED);
    sem_wait(semaphore);
    int seen = x;
    x = seen + 1;
    sem_post(semaphore);
    sem_close(semaphore);
    return 0;
}

int main(void) {
    pthread_t a, b;
    assert(sem_open("/none", 0) == SEM_FAILED && errno == ENOENT);
    pthread_create(&a, 0, thread, 0);
    pthread_create(&b, 0, thread, &x);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(sem_open("/one", O_CREAT | O_EXCL, 0600, 1) == SEM_FAILED && errno == EEXIST);
    assert(sem_unlink("/one") == 0 && sem_unlink("/one") == -1);
    assert(x == 2);
    return 0;
}
