//! clean
//! clean -DREPEATS
// A loop that computes for more than a second and then ends.
int main(void) {
    unsigned state = 1;
    for (unsigned long i = 0; i < 400000000; i++) {
#ifdef REPEATS
        // But for the counter it repeats itself.
        state = i % 2;
#else
        state = state * 1664525 + 1013904223;
#endif
    }
    return state == 7;
}
