// Reference counts are counted atomically as soon as there are threads: nothing is lost, and nothing races.
#include <cassert>
#include <memory>
#include <thread>

int destroyed;

struct Owned {
    ~Owned() { destroyed++; }
};

int main() {
    {
        auto owned = std::make_shared<Owned>();
        std::thread other([copy = owned] { assert(copy); });
        std::shared_ptr<Owned> copy = owned;
        copy.reset();
        other.join();
        assert(owned.use_count() == 1);
    }
    assert(destroyed == 1);
}
