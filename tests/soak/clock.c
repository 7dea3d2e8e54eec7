// Shifts the wall clock of a program that this is preloaded into, by the whole seconds that a file holds while it runs: a 64-bit
// integer in the machine's order, in the file that SOAK_CLOCK names. The monotonic clock is left alone, as when an administrator
// sets the time.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static volatile const int64_t *offset;

__attribute__((constructor)) static void open_offset(void) {
    const char *path = getenv("SOAK_CLOCK");
    const int file = path == NULL ? -1 : open(path, O_RDONLY | O_CLOEXEC);
    if (file >= 0) {
        void *page = mmap(NULL, sizeof *offset, PROT_READ, MAP_SHARED, file, 0);
        offset = page == MAP_FAILED ? NULL : page;
        close(file);
    }
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    const long status = syscall(SYS_clock_gettime, clock, now);
    if (status == 0 && offset != NULL && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) {
        now->tv_sec += *offset;
    }
    return (int)status;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
    (void)zone;
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    now->tv_sec = time.tv_sec;
    now->tv_usec = time.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *now) {
    struct timespec found;
    clock_gettime(CLOCK_REALTIME, &found);
    if (now != NULL) {
        *now = found.tv_sec;
    }
    return found.tv_sec;
}
