// A write behind the end of a block.
#include <stdlib.h>

int main(void) {
    int *block = malloc(10 * sizeof *block);
    int index = 10;
    block[index] = 1;
    return 0;
}
