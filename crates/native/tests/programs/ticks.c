// Two threads that go by the ticks of the processor.
#include <assert.h>
#include <pthread.h>
#include <x86intrin.h>

unsigned long long first, second;
int turns, before;

static unsigned long long asked(void) {
    unsigned low, high;
    __asm__ volatile("lfence; rdtsc" : "=a"(low), "=d"(high));
    return (unsigned long long)high << 32 | low;
}

void *work(void *unused) {
    unsigned processor = 1;
    first = __rdtsc();
    // What is done depends on a digit that nobody can foresee.
    for (unsigned long long times = first % 7; times > 0; times--)
        turns++;
    before = first <= asked() && asked() <= __rdtscp(&processor);
    assert(processor == 0);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    second = __rdtsc();
    pthread_join(thread, 0);
    assert(before && second > 0);
    return 0;
}
