// Functions and variables of the program that are called like functions of the libraries and of verifiers. With own_names_rest.c,
// which calls them, too.
#include <assert.h>
#include <pthread.h>

int stat, times;
int shared;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

int rand(void) { return 7; }
long read(int a, void *b, unsigned long c) { return a + (b != 0) + (long)c + 1; }
int wait(int *number) { return *number + 1; }
int usleep(unsigned number) { return (int)number * 2; }
int poll(void) { return 11; }
void signal(int *number) { __atomic_add_fetch(number, 1, __ATOMIC_SEQ_CST); }
unsigned long strnlen(const char *text) { return text[0] == 'a'; }
int isatty(int number) { return number + 40; }
int __VERIFIER_nondet_int(void) { return 5; }
void __VERIFIER_atomic_begin(void) { pthread_mutex_lock(&mutex); }
void __VERIFIER_atomic_end(void) { pthread_mutex_unlock(&mutex); }
static int alarm(int number) { return number + 3; }
static int atoi(const char *text) { return text[0]; }

void *rest(void *);

static void *run(void *unused) {
    __VERIFIER_atomic_begin();
    shared++, stat++, times++;
    __VERIFIER_atomic_end();
    return unused;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], 0, run, 0);
    pthread_create(&threads[1], 0, rest, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
    int one = 1;
    assert(rand() == 7 && read(0, 0, 2) == 3 && wait(&one) == 2 && usleep(4) == 8 && poll() == 11);
    assert(strnlen("abc") == 1 && isatty(1) == 41 && alarm(1) == 4 && atoi("a") == 'a');
    assert(__VERIFIER_nondet_int() == 5);
    signal(&one);
    assert(one == 2 && shared == 2 && stat == 2 && times == 2);
    return 0;
}
