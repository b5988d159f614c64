//! clean -std=c++17
//! found race -std=c++17 -DBROKEN
// A local static is initialised once; broken: by hand.
#include <thread>

struct Table { int rows; Table() : rows(3) {} };

static Table &table() {
#ifdef BROKEN
    static Table *made = nullptr;
    static Table storage;
    if (!made)
        made = &storage;
    return *made;
#else
    static Table made;
    return made;
#endif
}

int main() {
    std::thread a([] { (void)table().rows; }), b([] { (void)table().rows; });
    a.join();
    b.join();
}
