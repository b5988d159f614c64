// A loop without an end in which nothing visible happens.
int main(void) {
    for (;;) {
        int i = 0;
        i = i + 1;
    }
}
