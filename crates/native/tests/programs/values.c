/* Two threads share a structure that is passed and returned by value: CASE says how the one writes it and the other reads it, and
   SIZE how large it is. If BROKEN, without the lock. */
#include <pthread.h>
#include <string.h>

typedef struct Pair {
    long first, second;
#if SIZE > 16
    char rest[SIZE - 16];
#endif
} Pair;

#define CALLED __attribute__((noinline, noclone))

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static Pair shared;
static struct {
    int before;
    Pair pair;
} around, *holder = &around;
Pair copy;

static CALLED Pair make(long value) {
    Pair pair;
    memset(&pair, 0, sizeof pair);
    pair.first = pair.second = value;
    return pair;
}

static CALLED void look(Pair pair) {
    copy = pair;
}

static CALLED Pair same(Pair pair) {
    return pair;
}

static void give(Pair *local) {
#if CASE == 1
    shared = make(1);
#elif CASE == 2
    holder->pair = make(1);
#elif CASE == 3
    shared.second = 1;
#elif CASE == 4
    holder->pair.second = 1;
#else
    *local = make(1);
#endif
}

static void take(Pair *local) {
#if CASE == 1
    copy.first = shared.first;
#elif CASE == 2
    copy.second = around.pair.second;
#elif CASE == 3
    look(same(shared));
#elif CASE == 4
    look(holder->pair);
#else
    (void)local;
#endif
}

static void *giver(void *local) {
#ifndef BROKEN
    pthread_mutex_lock(&lock);
#endif
    give(local);
#ifndef BROKEN
    pthread_mutex_unlock(&lock);
#endif
    return NULL;
}

int main(void) {
    pthread_t thread;
    Pair local = make(0);
    pthread_create(&thread, NULL, giver, &local);
#ifndef BROKEN
    pthread_mutex_lock(&lock);
#endif
    take(&local);
#if CASE == 5
    look(local);
#elif CASE == 6
    local = make(2);
#endif
#ifndef BROKEN
    pthread_mutex_unlock(&lock);
#endif
    pthread_join(thread, NULL);
    return 0;
}
