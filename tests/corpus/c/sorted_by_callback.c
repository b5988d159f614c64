//! clean
//! found race -DBROKEN
// A comparison that the library calls counts its calls. Broken: in a shared plain variable.
#include <pthread.h>
#include <stdlib.h>

#ifdef BROKEN
static int calls;
#else
static _Thread_local int calls;
#endif

static int compare(const void *a, const void *b) {
    calls++;
    return *(const int *)a - *(const int *)b;
}

static void *sort(void *numbers) {
    qsort(numbers, 2, sizeof(int), compare);
    return NULL;
}

int main(void) {
    int first[2] = {2, 1}, second[2] = {4, 3};
    pthread_t thread;
    pthread_create(&thread, NULL, sort, first);
    sort(second);
    pthread_join(thread, NULL);
    return first[0] != 1 || second[0] != 3;
}
