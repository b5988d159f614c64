//! clean
//! found race -DBROKEN
// Two threads use a mapping of memory. Broken: the same page.
#include <pthread.h>
#include <sys/mman.h>

enum { PAGE = 4096 };
static char *memory;

static void *work(void *arg) {
    memory[(long)arg] = 1;
    return NULL;
}

int main(void) {
    memory = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    pthread_t thread;
#ifdef BROKEN
    pthread_create(&thread, NULL, work, (void *)0L);
#else
    pthread_create(&thread, NULL, work, (void *)(long)PAGE);
#endif
    work((void *)0L);
    pthread_join(thread, NULL);
    munmap(memory, 2 * PAGE);
}
