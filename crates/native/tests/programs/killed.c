// A program whose process the system ends, behind the runtime's back.
#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

void *work(void *unused) {
    struct rlimit none = {0, 0};
    setrlimit(RLIMIT_FSIZE, &none);
    write(1, "more than is allowed", 20);
    return unused;
}

int global;

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    global = 1;
    pthread_join(thread, 0);
    return 0;
}
