// A recursion without an end.
int down(int depth) {
    volatile char room[1000];
    room[0] = (char)depth;
    return down(depth + 1) + room[0];
}

int main(void) {
    return down(0);
}
