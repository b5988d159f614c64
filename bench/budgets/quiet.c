/* A loop without visible operations. */
volatile unsigned long seen;
int main(void) {
    unsigned long i = 0;
    for (;;) {
        i += 3;
        if (i == 2) seen = i;
    }
}
