//! clean
//! found race -DBROKEN
// The address of a loop variable is handed to threads.
#include <pthread.h>

static int sum[3];

static void *work(void *arg) {
#ifdef BROKEN
    int me = *(int *)arg;
#else
    int me = (int)(long)arg;
#endif
    if (me < 3)
        sum[me] = me;
    return 0;
}

int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++) {
#ifdef BROKEN
        pthread_create(&t[i], 0, work, &i);
#else
        pthread_create(&t[i], 0, work, (void *)(long)i);
#endif
    }
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
}
