// A loop that looks three times is no loop that waits: it ends whether the flag is set or not.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int flag;
int seen;

void *writer(void *unused) {
    flag = 1;
    return unused;
}

int main(void) {
    pthread_t other;
    pthread_create(&other, 0, writer, 0);
    for (int i = 0; i < 3; i++)
        if (flag)
            seen = 1;
    pthread_join(other, 0);
    assert(seen == 1);
    return 0;
}
