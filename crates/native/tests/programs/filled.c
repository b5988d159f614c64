// What the system fills in lies among the program's data, which nobody has written to before. -DBROKEN: without a lock.
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <unistd.h>

// Each on pages of its own.
#define APART __attribute__((aligned(4096)))
APART struct stat status;
APART struct utsname names;
APART char directory[4096], link_text[64], bytes[8], more[8];
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void *thread(void *unused) {
    struct iovec part = {more, sizeof more};
    int file = open("/proc/self/exe", O_RDONLY);
    assert(file >= 0);
#ifndef BROKEN
    pthread_mutex_lock(&mutex);
#endif
    assert(fstat(file, &status) == 0 && status.st_size > 0);
    assert(uname(&names) == 0 && names.sysname[0] == 'L');
    assert(getcwd(directory, sizeof directory) && directory[0] == '/');
    assert(readlink("/proc/self/exe", link_text, sizeof link_text) > 0 && link_text[0] == '/');
    assert(pread(file, bytes, sizeof bytes, 1) == 8 && bytes[0] == 'E');
    assert(readv(file, &part, 1) == 8 && more[1] == 'E');
#ifndef BROKEN
    pthread_mutex_unlock(&mutex);
#endif
    close(file);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, thread, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
    return 0;
}
