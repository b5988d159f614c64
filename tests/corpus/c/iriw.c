//! clean
//! found assertion -DREACHED
// Independent reads of independent writes: two readers cannot disagree on the order.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int a, b, c, d;

static void *write_x(void *_) { x = 1; return 0; }
static void *write_y(void *_) { y = 1; return 0; }
static void *read_xy(void *_) { a = x; b = y; return 0; }
static void *read_yx(void *_) { c = y; d = x; return 0; }

int main(void) {
    pthread_t t[4];
    void *(*run[4])(void *) = {write_x, write_y, read_xy, read_yx};
    for (int i = 0; i < 4; i++)
        pthread_create(&t[i], 0, run[i], 0);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], 0);
#ifdef REACHED
    assert(!(a == 1 && b == 0));
#else
    assert(!(a == 1 && b == 0 && c == 1 && d == 0));
#endif
}
