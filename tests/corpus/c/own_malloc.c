//! clean
//! found assertion -DBROKEN
// A program with an allocator and a random generator of its own, under the library's names.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdatomic.h>

static char arena[4096];
static atomic_size_t used;

void *malloc(size_t size) {
    size = (size + 15) & ~(size_t)15;
#ifdef BROKEN
    size_t at = used;
    used = at + size;
#else
    size_t at = atomic_fetch_add(&used, size);
#endif
    return arena + at;
}
void free(void *p) { (void)p; }
int rand(void) { return 4; }

static void *block[2];
static void *work(void *arg) { block[(long)arg] = malloc(16); return 0; }

int main(void) {
    assert(rand() == 4);
    pthread_t a, b;
    pthread_create(&a, 0, work, (void *)0L);
    pthread_create(&b, 0, work, (void *)1L);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(block[0] != block[1]);
}
