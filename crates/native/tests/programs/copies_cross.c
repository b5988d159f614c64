/* Two threads copy structures into each other's, a third one fills one of them: every copy races with another one. */
#include <pthread.h>

struct record {
    long words[3];
};

static struct record one, other;

static void *fill(void *unused) {
    one = (struct record){{2, 2, 2}};
    return unused;
}

static void *copy_twice(void *unused) {
    one = other;
    one = other;
    return unused;
}

static void *copy_back(void *unused) {
    other = one;
    return unused;
}

int main(void) {
    void *(*const work[])(void *) = {fill, copy_twice, copy_back};
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], 0, work[i], 0);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], 0);
}
