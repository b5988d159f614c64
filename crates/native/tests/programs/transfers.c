/* Two transfers between two accounts, in opposite directions. A function takes one account's lock and tries the other's; if that is
   taken it gives up, and its caller gives way and calls it again. */
#include <assert.h>
#include <pthread.h>
#include <sched.h>

struct account {
    pthread_mutex_t lock;
    int balance;
};

static struct account one = {PTHREAD_MUTEX_INITIALIZER, 10}, other = {PTHREAD_MUTEX_INITIALIZER, 10};

static int take_both(struct account *from, struct account *to) {
    pthread_mutex_lock(&from->lock);
    if (pthread_mutex_trylock(&to->lock) == 0)
        return 1;
    pthread_mutex_unlock(&from->lock);
    return 0;
}

static void transfer(struct account *from, struct account *to, int amount) {
    while (!take_both(from, to))
        sched_yield();
    from->balance -= amount;
    to->balance += amount;
    pthread_mutex_unlock(&to->lock);
    pthread_mutex_unlock(&from->lock);
}

static void *there(void *unused) {
    transfer(&one, &other, 3);
    return unused;
}

static void *back(void *unused) {
    transfer(&other, &one, 4);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], 0, there, 0);
    pthread_create(&threads[1], 0, back, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
    assert(one.balance == 11 && other.balance == 9);
    return 0;
}
