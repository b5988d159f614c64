//! clean
//! found race|memory|crash -DBROKEN
// strtok keeps its place in a variable of the library. Right: strtok_r with a variable of the caller.
#include <pthread.h>
#include <string.h>

static void *split(void *arg) {
    char *text = arg;
#ifdef BROKEN
    strtok(text, ",");
    strtok(NULL, ",");
#else
    char *rest;
    strtok_r(text, ",", &rest);
    strtok_r(NULL, ",", &rest);
#endif
    return NULL;
}

int main(void) {
    char first[] = "a,b", second[] = "c,d";
    pthread_t thread;
    pthread_create(&thread, NULL, split, first);
    split(second);
    pthread_join(thread, NULL);
}
