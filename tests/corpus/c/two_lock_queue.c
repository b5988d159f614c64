//! clean
//! found race -DBROKEN
// A queue with one lock for each end. Broken: it has no dummy node, so both ends touch the same node.
#include <pthread.h>
#include <stddef.h>

struct node {
    int value;
    _Atomic(struct node *) next;
};

static struct node first, second;
static struct node *head = &first, *tail = &first;
static pthread_mutex_t head_lock = PTHREAD_MUTEX_INITIALIZER, tail_lock = PTHREAD_MUTEX_INITIALIZER;

static void *put(void *unused) {
    pthread_mutex_lock(&tail_lock);
    second.value = 7;
    tail->next = &second;
    tail = &second;
#ifdef BROKEN
    first.value = 8;
#endif
    pthread_mutex_unlock(&tail_lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, put, NULL);
    pthread_mutex_lock(&head_lock);
    struct node *next = head->next;
    int value = next == NULL ? head->value : next->value;
    if (next != NULL)
        head = next;
    pthread_mutex_unlock(&head_lock);
    pthread_join(thread, NULL);
    return value > 8;
}
