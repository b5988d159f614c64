//! clean
//! found race -DMEMCPY
//! found race -DSTRCPY
//! found race -DSTRUCTURE
//! found race -DMEMSET
// What a library function copies is read and written by it.
#include <pthread.h>
#include <string.h>

struct pair {
    long first, second;
};

static char from[16] = "hello", to[16];
static struct pair pair, other;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *unused) {
#if defined MEMCPY || defined STRCPY
    from[3] = 'x';
#elif defined STRUCTURE
    pair.second = 1;
#elif defined MEMSET
    to[15] = 1;
#else
    pthread_mutex_lock(&lock);
    from[3] = 'x';
    pair.second = 1;
    pthread_mutex_unlock(&lock);
#endif
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
#if defined MEMCPY
    memcpy(to, from, sizeof to);
#elif defined STRCPY
    strcpy(to, from);
#elif defined STRUCTURE
    other = pair;
#elif defined MEMSET
    memset(to, 0, sizeof to);
#else
    pthread_mutex_lock(&lock);
    memcpy(to, from, sizeof to);
    strcpy(to, from);
    other = pair;
    pthread_mutex_unlock(&lock);
    memset(to, 0, sizeof to);
#endif
    pthread_join(thread, NULL);
    return other.first != 0;
}
