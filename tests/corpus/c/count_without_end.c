//! incomplete
// A loop that counts: no state comes again within years, so that it is no hang.
int main(void) {
    unsigned long count = 0;
    while (count + 1 != 0)
        count++;
}
