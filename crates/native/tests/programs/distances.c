// Code whose distances are known by counting atomic operations, each of which is an operation at every level of optimisation.
#include <pthread.h>

#ifdef __clang__
#define KEEP __attribute__((noinline))
#else
#define KEEP __attribute__((noipa))
#endif

int ops;

static inline void op(void) { __atomic_fetch_add(&ops, 1, __ATOMIC_SEQ_CST); }

KEEP void goal(void) { op(); }

KEEP void inner(void) { op(); }

KEEP void two(void) {
    op();
    op();
}

// One operation for each level, and one at the bottom.
KEEP int deep(int levels) {
    op();
    return levels > 0 ? deep(levels - 1) + levels : 0;
}

// Only one case leads to `inner`, behind three operations.
KEEP int table(int which) {
    switch (which) {
    case 0: two(); two(); return 3;
    case 1: op(); break;
    case 2: two(); return 9;
    case 3: op(); two(); inner(); return 12;
    case 4: op(); op(); op(); op(); return 5;
    case 5: op(); return 8;
    case 6: two(); op(); break;
    case 7: return 17;
    default: return 1;
    }
    two();
    return 4;
}

int (*chosen)(int) = table;

KEEP int by_pointer(int which) {
    int (*function)(int) = __atomic_load_n(&chosen, __ATOMIC_SEQ_CST);
    return function(which);
}

// Another function calls `two` right before the goal. A distance that knows nothing of calls returns there.
KEEP void near(void) {
    two();
    goal();
}

KEEP int far(int which) {
    two();
    op();
    op();
    op();
    return by_pointer(which);
}

void *run(void *argument) {
    int which = __atomic_load_n((int *)argument, __ATOMIC_SEQ_CST);
    op();
    deep(2);
    far(which);
    return 0;
}

int main(int count, char **values) {
    pthread_t thread;
    pthread_create(&thread, 0, run, &count);
    if (__atomic_load_n(&ops, __ATOMIC_SEQ_CST) > 5)
        near();
    pthread_join(thread, 0);
    return 0;
}
