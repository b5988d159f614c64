//! unsupported
// Asynchronous reading runs a thread of the library, outside of the schedule: it is refused by name.
#include <aio.h>
#include <fcntl.h>
#include <unistd.h>

int main(void) {
    static char text[8];
    int file = open("/etc/hostname", O_RDONLY);
    struct aiocb request = {.aio_fildes = file, .aio_buf = text, .aio_nbytes = sizeof text};
    aio_read(&request);
    char first = text[0];
    close(file);
    return first == 1;
}
