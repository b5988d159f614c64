// A program with functions of its own that are called like those of the C library.
#include <assert.h>
#include <stddef.h>

size_t strlen(const char *text) {
    size_t length = 0;
    while (text[length])
        length++;
    return length + 1;
}

static int atoi(const char *text) { return text[0]; }

int main(void) {
    const char *volatile text = "abc";
    assert(strlen(text) == 4 && atoi(text) == 'a');
    return 0;
}
