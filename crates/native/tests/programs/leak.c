// What is not freed: -DCASE=1 a block that nothing refers to any more; 2 a list of which the first one is forgotten; 3 what a thread
// writes over; 4 blocks that refer to each other; 0 nothing but what somebody can still reach.
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node {
    struct node *next;
    char data[16];
};

struct node *kept;
char *inner;
__thread char *own;
pthread_key_t key;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

struct node *new_node(struct node *next) {
    struct node *node = malloc(sizeof *node);
    node->next = next;
    return node;
}

void *set(void *unused) {
    pthread_mutex_lock(&lock);
#if CASE != 3
    free(kept);
#endif
    kept = new_node(0);
    pthread_mutex_unlock(&lock);
    return unused;
}

void *stays(void *unused) {
    char *held = malloc(8);
    pthread_mutex_lock(&lock);
    held[0] = 1;
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, set, 0);
    pthread_create(&b, 0, set, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
#if CASE == 0
    printf("what stdio allocates is not the program's\n");
    inner = (char *)new_node(0) + 4;
    own = malloc(1);
    pthread_key_create(&key, 0);
    pthread_setspecific(key, malloc(1));
    kept->next = new_node(new_node(0));
    pthread_mutex_lock(&lock);
    pthread_create(&a, 0, stays, 0);
    char *on_the_stack = strdup("reachable");
    exit(on_the_stack[0] == 0);
#elif CASE == 1
    memset(malloc(100), 1, 100);
#elif CASE == 2
    new_node(new_node(new_node(0)));
#elif CASE == 4
    struct node *one = new_node(0);
    one->next = new_node(one);
#endif
    return 0;
}
