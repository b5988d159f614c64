/* Executions of 100,000 steps with 50,000 races: two threads that add to all elements of an array. */
#include <pthread.h>
#include <stdatomic.h>
#define CELLS 50000
atomic_int cells[CELLS];
void *work(void *unused) {
    for (int i = 0; i < CELLS; i++) atomic_fetch_add(&cells[i], 1);
    return unused;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
