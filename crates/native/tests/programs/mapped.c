// Threads map memory, use it and unmap it: the next one gets the same addresses. If BROKEN, they share one mapping.
#include <assert.h>
#include <pthread.h>
#include <sys/mman.h>

#ifdef BROKEN
static int *shared;
#endif

static int *map(void) {
    int *memory = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert(memory != MAP_FAILED);
    return memory;
}

static void *use(void *unused) {
#ifdef BROKEN
    *shared = 1;
#else
    int *memory = map();
    *memory = 1;
    munmap(memory, 4096);
#endif
    return unused;
}

int main(void) {
    pthread_t one, other;
#ifdef BROKEN
    shared = map();
#endif
    pthread_create(&one, 0, use, 0);
    pthread_create(&other, 0, use, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    return 0;
}
