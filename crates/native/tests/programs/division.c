// A division by zero in some schedules.
#include <pthread.h>

int divisor = 1;

void *change(void *unused) {
    divisor = 0;
    divisor = 2;
    return unused;
}

int main(void) {
    pthread_t other;
    pthread_create(&other, 0, change, 0);
    int result = 10 / divisor;
    (void)result;
    pthread_join(other, 0);
    return 0;
}
