// Threads of C11 that the program makes of those of POSIX itself. -DBROKEN: its lock does nothing.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

typedef pthread_t thrd_t;
typedef pthread_mutex_t mtx_t;
typedef struct {
    int (*function)(void *);
    void *argument;
} start_t;

static void *start(void *given) {
    start_t begun = *(start_t *)given;
    free(given);
    return (void *)(long)begun.function(begun.argument);
}

int thrd_create(thrd_t *thread, int (*function)(void *), void *argument) {
    start_t *begun = malloc(sizeof *begun);
    *begun = (start_t){function, argument};
    return pthread_create(thread, 0, start, begun);
}

int thrd_join(thrd_t thread, int *result) {
    void *value;
    pthread_join(thread, &value);
    if (result)
        *result = (int)(long)value;
    return 0;
}

int mtx_init(mtx_t *mutex, int kind) { return kind + pthread_mutex_init(mutex, 0); }
#ifdef BROKEN
int mtx_lock(mtx_t *mutex) { return mutex == 0; }
int mtx_unlock(mtx_t *mutex) { return mutex == 0; }
#else
int mtx_lock(mtx_t *mutex) { return pthread_mutex_lock(mutex); }
int mtx_unlock(mtx_t *mutex) { return pthread_mutex_unlock(mutex); }
#endif

static mtx_t mutex;
static int sum;

static int run(void *number) {
    mtx_lock(&mutex);
    int before = sum;
    sum = before + 1;
    mtx_unlock(&mutex);
    return *(int *)number;
}

int main(void) {
    thrd_t threads[2];
    int numbers[2] = {3, 4}, results[2];
    mtx_init(&mutex, 0);
    for (int i = 0; i < 2; i++)
        thrd_create(&threads[i], run, &numbers[i]);
    for (int i = 0; i < 2; i++)
        thrd_join(threads[i], &results[i]);
    assert(sum == 2 && results[0] == 3 && results[1] == 4);
    return 0;
}
