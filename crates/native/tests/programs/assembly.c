// Assembly in the source: instructions on memory are steps like others, a pause is none; what is not known is refused if it touches
// memory.
#include <assert.h>
#include <pthread.h>

static int ready, lock, counter;

static int exchange(int *place, int value) {
    __asm__ volatile("xchgl %0, %1" : "+r"(value), "+m"(*place) : : "memory");
    return value;
}

static int compare(int *place, int old, int new) {
    unsigned char same;
    __asm__ volatile("lock; cmpxchgl %3, %1; setz %0" : "=q"(same), "+m"(*place), "+a"(old) : "r"(new) : "memory", "cc");
    return same;
}

static void *work(void *unused) {
#ifdef REFUSED
    __asm__ volatile("rep; stosb" : : : "memory");
#elif defined BROKEN
    int old, new;
    __asm__ volatile("movl %1, %0" : "=r"(old) : "m"(counter) : "memory");
    new = old + 1;
    __asm__ volatile("movl %1, %0" : "=m"(counter) : "r"(new) : "memory");
#else
    while (exchange(&lock, 1))
        __asm__ volatile("pause" : : : "memory");
    counter++;
    __asm__ volatile("movl $0, %0" : "=m"(lock) : : "memory");
#endif
    while (!compare(&ready, 0, 1) && !compare(&ready, 1, 2))
        ;
    return unused;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, work, 0);
    pthread_create(&second, 0, work, 0);
    while (!compare(&ready, 2, 3))
        __asm__ volatile("pause" : : : "memory");
    assert(counter == 2);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}
