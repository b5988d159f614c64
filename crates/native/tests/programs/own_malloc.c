// An allocator of the program's own, which the C library uses, too. -DBROKEN: it forgets to lock. -DWRAPS: it counts, and calls
// the one behind it.
#define _GNU_SOURCE
#include <assert.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

static char arena[1 << 20];
static size_t used;
static int count;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *take(size_t size) {
#ifdef WRAPS
    void *(*behind)(size_t) = (void *(*)(size_t))dlsym(RTLD_NEXT, "malloc");
    return behind(size);
#else
    char *block = arena + used;
    used += (size + 15) & ~(size_t)15;
    return block;
#endif
}

void *malloc(size_t size) {
#ifndef BROKEN
    pthread_mutex_lock(&mutex);
#endif
    void *block = take(size);
    count++;
#ifndef BROKEN
    pthread_mutex_unlock(&mutex);
#endif
    return block;
}

#ifndef WRAPS
void free(void *block) { (void)block; }

void *calloc(size_t number, size_t size) {
    void *block = malloc(number * size);
    memset(block, 0, number * size);
    return block;
}

void *realloc(void *block, size_t size) {
    void *other = malloc(size);
    if (block)
        memcpy(other, block, size);
    return other;
}
#else
void free(void *);
#endif

static void *run(void *unused) {
    char *volatile one = malloc(8);
    *(char *volatile *)one = one;
    char *volatile text = strdup("abc");
    assert(!strcmp(text, "abc") && *(char *volatile *)one == one);
#ifndef WRAPS
    assert(text >= arena && text < arena + sizeof arena);
#endif
    free(text);
    free(one);
    return unused;
}

int main(void) {
    int before = count;
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, run, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
    assert(count - before == 4);
    return 0;
}
