// A bounded buffer: a ring of three places, one of which stays empty (Yang et al. 2007). -DBROKEN: a waiting thread looks only once.
#include <assert.h>
#include <pthread.h>

#ifndef PRODUCERS
#define PRODUCERS 2
#endif
#ifndef CONSUMERS
#define CONSUMERS 2
#endif
#define PLACES 3

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t not_full = PTHREAD_COND_INITIALIZER, not_empty = PTHREAD_COND_INITIALIZER;
int buffer[PLACES], in, out;

#ifdef BROKEN
#define WHILE if
#else
#define WHILE while
#endif

void *produce(void *argument) {
    pthread_mutex_lock(&lock);
    WHILE ((in + 1) % PLACES == out)
        pthread_cond_wait(&not_full, &lock);
    assert((in + 1) % PLACES != out);
    buffer[in] = (int)(long)argument;
    in = (in + 1) % PLACES;
    pthread_cond_signal(&not_empty);
    pthread_mutex_unlock(&lock);
    return 0;
}

void *consume(void *unused) {
    pthread_mutex_lock(&lock);
    WHILE (in == out)
        pthread_cond_wait(&not_empty, &lock);
    assert(in != out);
    int got = buffer[out];
    out = (out + 1) % PLACES;
    pthread_cond_signal(&not_full);
    pthread_mutex_unlock(&lock);
    return (void *)(long)got;
}

int main(void) {
    pthread_t producers[PRODUCERS], consumers[CONSUMERS];
    for (long i = 0; i < PRODUCERS; i++)
        pthread_create(&producers[i], 0, produce, (void *)(i + 1));
    for (int i = 0; i < CONSUMERS; i++)
        pthread_create(&consumers[i], 0, consume, 0);
    for (int i = 0; i < PRODUCERS; i++)
        pthread_join(producers[i], 0);
    for (int i = 0; i < CONSUMERS; i++)
        pthread_join(consumers[i], 0);
    return 0;
}
