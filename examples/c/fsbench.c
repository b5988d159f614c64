// Threads allocate blocks for inodes, each under its lock; with 26 threads, 13 pairs share an inode or a block
// (Flanagan & Godefroid 2005; Yang et al. 2007).
#include <pthread.h>

#ifndef THREADS
#define THREADS 26
#endif
#define INODES 32
#define BLOCKS 26

pthread_mutex_t inode_locks[INODES], block_locks[BLOCKS];
int inode[INODES];
int busy[BLOCKS];

void *allocate(void *argument) {
    int i = (int)(long)argument % INODES;
    pthread_mutex_lock(&inode_locks[i]);
    if (inode[i] == 0) {
        int b = (i * 2) % BLOCKS;
        for (;;) {
            pthread_mutex_lock(&block_locks[b]);
            if (!busy[b]) {
                busy[b] = 1;
                inode[i] = b + 1;
                pthread_mutex_unlock(&block_locks[b]);
                break;
            }
            pthread_mutex_unlock(&block_locks[b]);
            b = (b + 1) % BLOCKS;
        }
    }
    pthread_mutex_unlock(&inode_locks[i]);
    return 0;
}

int main(void) {
    pthread_t threads[THREADS];
    for (int i = 0; i < INODES; i++)
        pthread_mutex_init(&inode_locks[i], 0);
    for (int i = 0; i < BLOCKS; i++)
        pthread_mutex_init(&block_locks[i], 0);
    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, allocate, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
    return 0;
}
