// What a process keeps beside its memory: -DCASE=1 a mapping, 2 its working directory, 3 its mask for new files, 4 a file;
// 5 and 6 close its standard output, or put something else in its place.
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int *shared;
int local;

void *add(void *unused) {
    pthread_mutex_lock(&lock);
    ++*shared;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t one, other;
    shared = &local;
#if CASE == 1
    // Always at one address: who maps it again without care finds it taken, or full.
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE;
    shared = mmap((void *)0x200000000, 4096, PROT_READ | PROT_WRITE, flags, -1, 0);
    assert(shared != MAP_FAILED && *shared == 0);
#elif CASE == 2
    char before[4096];
    assert(getcwd(before, sizeof before) && strcmp(before, "/") != 0);
    assert(chdir("/") == 0);
#elif CASE == 3
    assert(umask(0123) != 0123);
#elif CASE == 4
    char name[] = "/tmp/sojourner-test-XXXXXX", text[3];
    int file = mkstemp(name);
    assert(file >= 0 && write(file, "ok", 2) == 2 && close(file) == 0);
    FILE *again = fopen(name, "r");
    assert(fgets(text, sizeof text, again) && strcmp(text, "ok") == 0 && fclose(again) == 0);
    unlink(name);
#elif CASE == 5
    assert(puts("said once") >= 0 && fclose(stdout) == 0);
#elif CASE == 6
    struct stat what;
    assert(fstat(1, &what) == 0 && !S_ISCHR(what.st_mode));
    assert(dup2(open("/dev/null", O_WRONLY), 1) == 1);
#endif
    pthread_create(&one, 0, add, 0);
    pthread_create(&other, 0, add, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    assert(*shared == 2);
    return 0;
}
