//! clean
//! found race -DBROKEN
// Formatting reads what it prints. Broken: another thread writes it meanwhile.
#include <pthread.h>
#include <stdio.h>

static char name[8] = "one";
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *rename_it(void *unused) {
    pthread_mutex_lock(&lock);
    name[0] = 'O';
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    char text[16];
    pthread_t thread;
    pthread_create(&thread, NULL, rename_it, NULL);
#ifdef BROKEN
    snprintf(text, sizeof text, "<%s>", name);
#else
    pthread_mutex_lock(&lock);
    snprintf(text, sizeof text, "<%s>", name);
    pthread_mutex_unlock(&lock);
#endif
    pthread_join(thread, NULL);
    return text[0] != '<';
}
