//! clean
//! found assertion -DBROKEN
// A value that the environment chooses.
#include <assert.h>

extern _Bool __VERIFIER_nondet_bool(void);

int main(void) {
    int total = 0;
    for (int i = 0; i < 3; i++)
        total += __VERIFIER_nondet_bool();
#ifdef BROKEN
    assert(total != 3);
#else
    assert(total <= 3);
#endif
}
