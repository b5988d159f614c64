//! clean -std=c++17
//! found deadlock -std=c++17 -DBROKEN
// The future that async returns waits in its destructor. Broken: it is a temporary, and its task waits for what comes behind it.
#include <future>

int main() {
    std::promise<void> go;
    auto wait = [&] { go.get_future().wait(); };
#ifdef BROKEN
    (void)std::async(std::launch::async, wait);
    go.set_value();
#else
    auto task = std::async(std::launch::async, wait);
    go.set_value();
#endif
}
