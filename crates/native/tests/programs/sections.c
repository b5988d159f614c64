// Atomic sections, one case for each number.
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void __VERIFIER_assume(int);
extern _Bool __VERIFIER_nondet_bool(void);

#ifndef THREADS
#define THREADS 3
#endif

int cells[THREADS], sum, lock, open_now, late;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

#if CASE == 1
// Everybody has a cell of its own, and nobody can notice in which order they count.
void *run(void *cell) {
    int *mine = cell;
    for (int times = 0; times < 2; times++) {
        __VERIFIER_atomic_begin();
        *mine = *mine + 1;
        __VERIFIER_atomic_end();
    }
    return 0;
}
int holds(void) {
    return cells[0] == 2 && cells[1] == 2;
}
#elif CASE == 2
// All have one cell.
void __VERIFIER_atomic_add(void) {
    int before = sum;
    sum = before + 1;
}
void *run(void *unused) {
    __VERIFIER_atomic_add();
    return unused;
}
int holds(void) {
    return sum == THREADS;
}
#elif CASE == 3
// A lock that is made of an assumption. -DBROKEN: not everybody takes it.
void __VERIFIER_atomic_take(void) {
    __VERIFIER_assume(lock == 0);
    lock = 1;
}
void *run(void *cell) {
#ifdef BROKEN
    if (cell != cells)
#endif
        __VERIFIER_atomic_take();
    sum = sum + 1;
    lock = 0;
    return cell;
}
int holds(void) {
    return sum == THREADS;
}
#elif CASE == 4
// What a section touches can depend on what others did before. -DBROKEN: somebody looks meanwhile.
void *run(void *cell) {
    if (cell == cells) {
        open_now = 1;
        return 0;
    }
    if (cell == cells + 1) {
        __VERIFIER_atomic_begin();
        if (open_now) {
            late = 1;
            sum = 1;
        }
        __VERIFIER_atomic_end();
        return 0;
    }
#ifdef BROKEN
    int one = late;
#else
    __VERIFIER_atomic_begin();
    int one = late;
#endif
    int other = sum;
#ifndef BROKEN
    __VERIFIER_atomic_end();
#endif
    assert(one == other);
    return 0;
}
int holds(void) {
    return late == sum;
}
#elif CASE == 5
// In a section there is a lock, and a choice. -DBROKEN: the sum is taken apart.
void *run(void *unused) {
#ifndef BROKEN
    __VERIFIER_atomic_begin();
#endif
    int before = sum;
    pthread_mutex_lock(&mutex);
    sum = before + 1 + __VERIFIER_nondet_bool();
    pthread_mutex_unlock(&mutex);
#ifndef BROKEN
    __VERIFIER_atomic_end();
#endif
    return unused;
}
int holds(void) {
    return sum >= THREADS && sum <= 2 * THREADS;
}
#elif CASE == 6
// Somebody waits, looking again and again, and chooses how often. -DBROKEN: what it waits for never comes.
void *run(void *cell) {
    if (cell == cells) {
        __VERIFIER_atomic_begin();
        sum = 1;
        __VERIFIER_atomic_end();
        return 0;
    }
    for (int seen = 0; !seen;) {
        __VERIFIER_atomic_begin();
#ifdef BROKEN
        seen = late;
#else
        seen = sum;
#endif
        __VERIFIER_atomic_end();
#ifndef BROKEN
        if (__VERIFIER_nondet_bool())
            break;
#endif
    }
    return 0;
}
int holds(void) {
    return sum == 1;
}
#elif CASE >= 7 && CASE <= 9
// Sections one after the other: between two of them others can move. -DBROKEN: that is taken for impossible.
void __VERIFIER_atomic_first(void) {
    sum = sum + 1;
}
void __VERIFIER_atomic_second(void) {
    late = late + 1;
}
void __VERIFIER_atomic_compare(int *same) {
    *same = sum == late;
}
void *run(void *cell) {
    if (cell != cells) {
        int same;
        __VERIFIER_atomic_compare(&same);
#ifdef BROKEN
        assert(same);
#endif
        return 0;
    }
#if CASE == 7
    __VERIFIER_atomic_first();
    __VERIFIER_atomic_second();
#elif CASE == 8
    __VERIFIER_atomic_first();
    __VERIFIER_atomic_begin();
    late = late + 1;
    __VERIFIER_atomic_end();
#else
    for (int times = 0; times < 2; times++)
        __VERIFIER_atomic_first();
    late = 2;
#endif
    return 0;
}
int holds(void) {
    return sum == late;
}
#elif CASE == 10
// What a section calls belongs to it, and so do sections in it. -DBROKEN: the function is called otherwise.
void add(void) {
    int before = sum;
    sum = before + 1;
}
#ifndef BROKEN
#define add_twice __VERIFIER_atomic_add_twice
#endif
void add_twice(void) {
    add();
    __VERIFIER_atomic_begin();
    add();
    __VERIFIER_atomic_end();
    late++;
}
void *run(void *unused) {
    add_twice();
    return unused;
}
int holds(void) {
    return sum == 2 * THREADS;
}
#endif

int main(void) {
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, run, &cells[i]);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
    assert(holds());
    return 0;
}
