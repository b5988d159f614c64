// One thread writes x, one reads y and then x, one reads x: four executions that differ. A reduction that takes the text of its
// algorithm too literally runs three of them. -DBROKEN: the program fails in one of the four.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;
int first, second;

void *write_x(void *unused) {
    x = 1;
    return unused;
}

void *read_both(void *unused) {
    int ignored = y;
    (void)ignored;
    first = x;
    return unused;
}

void *read_x(void *unused) {
    second = x;
    return unused;
}

int main(void) {
    pthread_t w, r1, r2;
    pthread_create(&w, 0, write_x, 0);
    pthread_create(&r1, 0, read_both, 0);
    pthread_create(&r2, 0, read_x, 0);
    pthread_join(w, 0);
    pthread_join(r1, 0);
    pthread_join(r2, 0);
#ifdef BROKEN
    assert(first == 1 || second == 0);
#endif
    return 0;
}
