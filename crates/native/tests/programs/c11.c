// Threads, mutexes, conditions, once and thread-local variables of C11.
#include <assert.h>
#include <threads.h>

mtx_t lock;
cnd_t condition;
once_flag once = ONCE_FLAG_INIT;
thread_local int local = 7;
int ready, initialised;

void initialise(void) {
    initialised++;
}

int set(void *unused) {
    call_once(&once, initialise);
    assert(local == 7 && unused == 0);
    local = 8;
    mtx_lock(&lock);
    ready = 1;
    cnd_signal(&condition);
    mtx_unlock(&lock);
    return 5;
}

int main(void) {
    thrd_t other;
    int result;
    mtx_init(&lock, mtx_plain);
    cnd_init(&condition);
    local = 9;
    thrd_create(&other, set, 0);
    call_once(&once, initialise);
    mtx_lock(&lock);
    while (!ready)
        cnd_wait(&condition, &lock);
    mtx_unlock(&lock);
    thrd_join(other, &result);
    assert(result == 5 && local == 9 && initialised == 1);
    cnd_destroy(&condition);
    mtx_destroy(&lock);
    return 0;
}
