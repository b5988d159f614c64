// The rest of own_names.c.
extern int stat, times, shared;
int rand(void), wait(int *), poll(void), isatty(int), __VERIFIER_nondet_int(void);
unsigned long strnlen(const char *);
void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void), abort(void);

void *rest(void *unused) {
    int one = 1;
    if (rand() != 7 || wait(&one) != 2 || poll() != 11 || isatty(2) != 42 || __VERIFIER_nondet_int() != 5)
        abort();
    if (strnlen("abc") != 1 || strnlen("bc") != 0)
        abort();
    __VERIFIER_atomic_begin();
    shared++, stat++, times++;
    __VERIFIER_atomic_end();
    return unused;
}
