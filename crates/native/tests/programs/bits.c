// Two threads write to bit fields beside each other. -DBROKEN: in one word.
#include <assert.h>
#include <pthread.h>

struct {
    unsigned first : 4;
#ifndef BROKEN
    unsigned : 0;
#endif
    unsigned second : 12;
} fields, *pointer = &fields;

void *one(void *unused) {
    fields.first = 5;
    return unused;
}

void *other(void *unused) {
    pointer->second = 9;
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, other, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(fields.first == 5 && fields.second == 9);
    return 0;
}
