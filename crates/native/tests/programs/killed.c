// A program that ends its own process, behind the runtime's back.
#include <pthread.h>

void *work(void *unused) {
    __asm__ volatile("mov $39, %%eax; syscall; mov %%eax, %%edi; mov $9, %%esi; mov $62, %%eax; syscall" ::
                         : "rax", "rdi", "rsi", "rcx", "r11", "memory");
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
