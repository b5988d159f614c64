/* One thread copies into what another one copies from, in a way for each number. Half of one copy and half of another can be what
   is read, unless they are LOCKED; REVERSED: the halves that are not the first ones are the older ones. */
#include <assert.h>
#include <pthread.h>
#include <string.h>

#if CASE == 1
/* The compiler copies by itself: two words. */
struct parts {
    long first, last;
};
#define COPY(to, from) (to) = (from)
#elif CASE == 2
/* More words than registers. */
struct parts {
    long first, between[3], last;
};
#define COPY(to, from) (to) = (from)
#elif CASE == 3
/* By a function, at an odd address. */
struct __attribute__((packed)) parts {
    char odd;
    long first, between, last;
};
#define COPY(to, from) memcpy(&(to).first, &(from).first, 3 * sizeof(long))
#elif CASE == 4
/* What is read is passed to a function, and given back by another one. */
struct parts {
    long first, between[3], last;
};
static struct parts given(struct parts *from) {
    return *from;
}
static void taken(struct parts *to, struct parts from) {
    *to = from;
}
#define COPY(to, from) taken(&(to), given(&(from)))
#endif

static struct parts shared;
#ifdef LOCKED
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
#endif

static void enter(void) {
#ifdef LOCKED
    pthread_mutex_lock(&lock);
#endif
}

static void leave(void) {
#ifdef LOCKED
    pthread_mutex_unlock(&lock);
#endif
}

static void *writes(void *unused) {
    struct parts new;
    memset(&new, 0, sizeof new);
    new.first = new.last = 1;
    enter();
    COPY(shared, new);
    leave();
    return unused;
}

int main(void) {
    pthread_t writer;
    struct parts seen;
    pthread_create(&writer, NULL, writes, NULL);
    enter();
    COPY(seen, shared);
    leave();
    pthread_join(writer, NULL);
    assert(shared.first == 1 && shared.last == 1);
#ifdef REVERSED
    assert(!(seen.first && !seen.last));
#else
    assert(!(!seen.first && seen.last));
#endif
    return 0;
}
