//! unsupported
// A message queue of the system blocks outside of the schedule: it is refused by name.
#include <pthread.h>
#include <sys/ipc.h>
#include <sys/msg.h>

struct message {
    long kind;
    char text[4];
};

static int queue;

static void *send(void *unused) {
    struct message message = {1, "ab"};
    msgsnd(queue, &message, sizeof message.text, 0);
    return unused;
}

int main(void) {
    queue = msgget(IPC_PRIVATE, 0600);
    pthread_t thread;
    pthread_create(&thread, NULL, send, NULL);
    struct message message;
    msgrcv(queue, &message, sizeof message.text, 1, 0);
    pthread_join(thread, NULL);
    return message.text[0] != 'a';
}
