// A queue of work without locks (Chase & Lev 2005). Its owner puts items in and takes them out at one end, thieves take them out at
// the other. Every item must be done once. -DBROKEN: the owner looks for thieves before it says that it takes the last item. So
// both get it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef ITEMS
#define ITEMS 2
#endif
#ifndef THIEVES
#define THIEVES 1
#endif
#define PLACES 4
#define NOTHING -1

atomic_long top, bottom;
atomic_int items[PLACES];
atomic_int done[ITEMS];

void put(int item) {
    long b = bottom;
    items[b % PLACES] = item;
    bottom = b + 1;
}

int take(void) {
    long b = bottom - 1;
#ifdef BROKEN
    long t = top;
    bottom = b;
#else
    bottom = b;
    long t = top;
#endif
    if (t > b) {
        bottom = b + 1;
        return NOTHING;
    }
    int item = items[b % PLACES];
    if (t < b)
        return item;
    if (!atomic_compare_exchange_strong(&top, &t, t + 1))
        item = NOTHING;
    bottom = b + 1;
    return item;
}

int steal(void) {
    long t = top;
    if (t >= bottom)
        return NOTHING;
    int item = items[t % PLACES];
    return atomic_compare_exchange_strong(&top, &t, t + 1) ? item : NOTHING;
}

void do_item(int item) {
    if (item != NOTHING)
        assert(atomic_fetch_add(&done[item], 1) == 0);
}

void *thief(void *unused) {
    for (int i = 0; i < ITEMS; i++)
        do_item(steal());
    return unused;
}

int main(void) {
    pthread_t thieves[THIEVES];
    for (int i = 0; i < ITEMS; i++)
        put(i);
    for (int i = 0; i < THIEVES; i++)
        pthread_create(&thieves[i], 0, thief, 0);
    for (int i = 0; i < ITEMS; i++)
        do_item(take());
    for (int i = 0; i < THIEVES; i++)
        pthread_join(thieves[i], 0);
    for (int item = take(); item != NOTHING; item = take())
        do_item(item);
    for (int i = 0; i < ITEMS; i++)
        assert(done[i] == 1);
    return 0;
}
