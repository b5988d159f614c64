// What programs written for verifiers call, one case for each number.
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void __VERIFIER_assume(int);
extern _Bool __VERIFIER_nondet_bool(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern double __VERIFIER_nondet_double(void);
extern void *__VERIFIER_nondet_pointer(void);
extern unsigned sojourner_choose(unsigned);
extern void reach_error(void);

int x, y;

#if CASE == 1
// Nobody comes between the two halves of an addition.
void *one(void *unused) {
    __VERIFIER_atomic_begin();
    x = x + 1;
    __VERIFIER_atomic_end();
#ifdef BROKEN
    x = x + 1;
#endif
    return unused;
}
void *two(void *unused) {
    return one(unused);
}
int wrong(void) {
#ifdef BROKEN
    return x != 4;
#else
    return x != 2;
#endif
}
#elif CASE == 2
// What is assumed holds behind the assumption; who assumes what never comes true is no deadlock.
void *one(void *unused) {
    __VERIFIER_assume(y == 1);
    if (y != 1)
        reach_error();
    x = 1;
    return unused;
}
void *two(void *unused) {
    y = 1;
#ifdef BROKEN
    if (x == 1)
        reach_error();
#endif
    return unused;
}
int wrong(void) {
    return 0;
}
#elif CASE == 3
// A function with such a name is a section of its own, and one that is left in its midst has never been entered.
void __VERIFIER_atomic_enter(void) {
    y = y + 10;
    __VERIFIER_assume(x == 0);
    y = y - 10;
    x = 1;
}
void *one(void *unused) {
    __VERIFIER_atomic_enter();
    y++;
    if (y != 1)
        reach_error();
    y--;
    x = 0;
    return unused;
}
void *two(void *unused) {
#ifdef BROKEN
    y++;
    y--;
    return unused;
#endif
    return one(unused);
}
int wrong(void) {
    return y != 0;
}
#elif CASE == 4
void *one(void *unused) {
    if (__VERIFIER_nondet_bool())
        x = 1;
    return unused;
}
void *two(void *unused) {
    y = (int)sojourner_choose(3);
    return unused;
}
int wrong(void) {
#ifdef BROKEN
    return x == 1 && y == 2;
#else
    return y > 2;
#endif
}
#elif CASE == 5
// Of many values some are tried.
void *one(void *unused) {
    x = __VERIFIER_nondet_int();
    return unused;
}
void *two(void *unused) {
    y = __VERIFIER_nondet_uchar() % 3 + (__VERIFIER_nondet_double() < 0);
    return unused;
}
int wrong(void) {
#ifdef BROKEN
    return x == -1 && y == 3;
#else
    return y > 3;
#endif
}
#elif CASE == 6
void *one(void *unused) {
    return __VERIFIER_nondet_pointer() ? unused : 0;
}
void *two(void *unused) {
    return unused;
}
int wrong(void) {
    return 0;
}
#endif

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, one, 0);
    pthread_create(&second, 0, two, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    if (wrong())
        reach_error();
    return 0;
}
