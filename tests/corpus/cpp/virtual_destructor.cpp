//! clean -std=c++17
//! found race -std=c++17 -DBROKEN
// A derived object is used by its thread while its destructor runs.
#include <thread>

struct Base {
    std::thread runner;
    virtual ~Base() {
        if (runner.joinable())
            runner.join();
    }
    virtual void step() {}
    void start() { runner = std::thread([this] { step(); }); }
};

struct Derived : Base {
    int steps = 0;
    ~Derived() override {
#ifndef BROKEN
        runner.join();
#endif
    }
    void step() override { steps++; }
};

int main() {
    Derived d;
    d.start();
}
