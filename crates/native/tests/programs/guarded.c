// Two variables are the same whenever nobody holds the lock that guards them. -DHURRY: who is told to looks without the lock.
// -DSURE: whoever looks takes it that nobody has changed them. -DOTHER: one of those who change them takes another lock.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
int one, two;
atomic_int hurry;

void *change(void *mine) {
    pthread_mutex_lock(mine);
    one = one + 1;
    two = two + 1;
    pthread_mutex_unlock(mine);
    return 0;
}

void *look(void *unused) {
#ifdef HURRY
    if (atomic_load(&hurry)) {
        assert(one == two);
        return unused;
    }
#endif
    pthread_mutex_lock(&lock);
    assert(one == two);
#ifdef SURE
    assert(one == 0);
#endif
    pthread_mutex_unlock(&lock);
    return unused;
}

void *tell(void *unused) {
    atomic_store(&hurry, 1);
    return unused;
}

int main(void) {
    pthread_t threads[4];
#ifdef OTHER
    pthread_create(&threads[0], 0, change, &other);
#else
    pthread_create(&threads[0], 0, change, &lock);
#endif
    pthread_create(&threads[1], 0, look, 0);
    pthread_create(&threads[2], 0, tell, 0);
    pthread_create(&threads[3], 0, change, &lock);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], 0);
    assert(one == two);
    return 0;
}
