// Threads that take several locks at once, in all the ways that the library has for it.
#include <mutex>
#include <pthread.h>
#include <semaphore.h>
#include <shared_mutex>

static std::mutex a, b, c;
static std::recursive_mutex again;
static std::shared_mutex shared;
static int sum;

#if CASE == 1 // Two take two, and one takes one of them.
static void first() { std::scoped_lock all(a, b); sum++; }
static void second() { std::scoped_lock all(b, a); }
static void third() { std::lock_guard one(a); sum++; }
#elif CASE == 2 // Each two of them have one in common.
static void first() { std::scoped_lock all(a, b); }
static void second() { std::scoped_lock all(b, c); }
static void third() { std::scoped_lock all(c, a); }
#elif CASE == 3 // Whoever wants both comes before, between or behind those who want one.
static void first() { std::scoped_lock all(a, b, c); }
static void second() { { std::lock_guard one(a); } { std::lock_guard one(b); } }
static void third() { std::lock_guard one(c); }
#elif CASE == 4 // One of them is given back only when the other one has been taken.
static sem_t has;
static void first() { std::scoped_lock all(a, b); }
static void second() { std::lock_guard one(a); sem_post(&has); }
static void third() { std::lock_guard one(b); sem_wait(&has); }
#elif CASE == 5 // Of one that can be shared the others have a part.
static void first() { std::scoped_lock all(a, shared); sum++; }
static void second() { std::shared_lock part(shared); std::lock_guard one(b); }
static void third() { std::shared_lock part(shared, std::defer_lock); std::lock(part, b); std::lock_guard own(b, std::adopt_lock); }
#elif CASE == 6 // One that its holder can take again.
static void first() { std::lock_guard once(again); std::scoped_lock all(again, a); sum++; }
static void second() { std::scoped_lock all(a, again); sum++; }
static void third() { std::lock_guard one(a); sum++; }
#elif CASE == 7 // What waits for ever: one of them is its own.
static void first() { std::lock_guard own(a); std::scoped_lock all(b, a); }
static void second() { std::lock_guard one(b); }
static void third() {}
#elif CASE == 8 // A lock that the library does not know.
#include <atomic>
static struct {
    std::atomic<bool> taken;
    bool try_lock() { return !taken.exchange(true); }
    void lock() { while (!try_lock()) ; }
    void unlock() { taken = false; }
} spins;
static void first() { std::scoped_lock all(a, spins); sum++; }
static void second() { std::scoped_lock all(spins, a); sum++; }
static void third() {}
#endif

// The handles of std::thread are steps of their own.
template <void run()> static void *thread(void *) { run(); return nullptr; }

int main() {
    pthread_t threads[2];
    pthread_create(&threads[0], nullptr, thread<first>, nullptr);
    pthread_create(&threads[1], nullptr, thread<second>, nullptr);
    third();
    for (pthread_t thread : threads)
        pthread_join(thread, nullptr);
}
