// Ways to a goal through virtual calls, a standard thread and an exception.
#include <atomic>
#include <stdexcept>
#include <thread>

std::atomic<int> ops;

struct Shape {
    virtual void draw() { ops++; }
    virtual ~Shape() {}
};

struct Circle : Shape {
    void goal() { ops++; }
    void draw() override {
        ops++;
        ops++;
        goal();
    }
};

__attribute__((noinline)) void caught() { ops++; }

__attribute__((noinline)) void fails() {
    if (ops > 100)
        throw std::runtime_error("too many");
    ops++;
}

int main() {
    Circle circle;
    Shape *shape = &circle;
    std::thread drawing([shape] { shape->draw(); });
    try {
        fails();
    } catch (std::runtime_error &) {
        caught();
    }
    drawing.join();
}
