// One buffer is appended to another; its length is asked for first (after the class StringBuffer of the JDK). -DBROKEN: the
// lock is given back in between.
#include <assert.h>
#include <pthread.h>
#include <string.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
char text[8] = "abc";
int length = 3;

void *erase(void *unused) {
    pthread_mutex_lock(&lock);
    length = 0;
    memset(text, 0, sizeof text);
    pthread_mutex_unlock(&lock);
    return unused;
}

void *append(void *unused) {
    char copy[8] = "";
    pthread_mutex_lock(&lock);
    int wanted = length;
#ifdef BROKEN
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
#endif
    assert(wanted <= length);
    memcpy(copy, text, (size_t)wanted);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, erase, 0);
    pthread_create(&b, 0, append, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
