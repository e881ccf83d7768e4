/* tracelake_plant: makes functions of the program slower while it is recorded, so that a comparison can be tried on a change
 * that is known. It stands before the recorder in one file. TRACELAKE_PLANTS lists what is planted, a row for each function:
 * its name as the linker has it, the share of its own time that every call takes longer, the ns that every call sleeps.
 *
 * A call keeps the processor busy for its share when it ends, and the time of its end is taken after that: recorded and true
 * times agree. Its own time is what its thread computed in it and not in the calls that it makes: were it the time on the clock, a
 * call that another program interrupts for milliseconds would be slowed by a share of these. A clock has steps: what a call
 * computes too long or too short is kept for the next call of the same function and thread, so that all of its calls together
 * compute as much longer as was asked for. Reading the time of a thread takes some 100 ns, in planted functions and in
 * what they call; a baseline therefore is recorded with the same functions and 0 %.
 *
 * The names are those of the program's own table of symbols, so that functions of libraries and of stripped programs cannot
 * be planted. A name stands for the copies that gcc makes of a function, too (name.part.0, name.constprop.0).
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define PLAIN __attribute__((no_instrument_function))
#define DEEPEST 1024 /* calls within each other whose own times are known; those of deeper ones count for the deepest known */
#define COPIES 64    /* addresses of planted functions */

static const struct {
    const char *name;
    double share;
    uint64_t sleep_ns;
} plants[] = {TRACELAKE_PLANTS};
#define PLANTS (sizeof plants / sizeof *plants)

static struct {
    void *address;
    int plant;
} planted[COPIES];
static int copies;

/* call is one that has not ended. */
typedef struct {
    void *function;
    uint64_t entered, inner; /* ns that the thread had computed before it, and computes in the calls that it makes */
    int plant;               /* -1: none */
    int timed;               /* entered is known: the function or its caller is planted */
} call;

static __thread call calls[DEEPEST];
static __thread int depth;              /* of calls, also of those that have no place */
static uint64_t reading_ns = ~0ull;     /* what it takes to read the time that a thread computed */
static __thread double owed_ns[PLANTS]; /* what the calls so far computed too little */

/* computed_ns is how long the thread has computed so far. */
PLAIN static inline uint64_t computed_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 1000000000u + now.tv_nsec;
}

/* describe_plants writes remarks for the log, and returns their bytes, 0 where they do not fit. */
PLAIN static size_t describe_plants(char *to, size_t room) {
    size_t used = 0;
    for (size_t i = 0; i < PLANTS; i++) {
        int n = snprintf(to + used, room - used, "# plant %s share %g sleep %llu\n", plants[i].name, plants[i].share,
                         (unsigned long long)plants[i].sleep_ns);
        if (n < 0 || used + n >= room) return 0;
        used += n;
    }
    return used;
}

PLAIN static int program_bias(struct dl_phdr_info *info, size_t size, void *bias) {
    (void)size;
    *(uint64_t *)bias = info->dlpi_addr;
    return 1; /* the first module is the program */
}

/* plant_of returns the row of a symbol, or -1. */
PLAIN static int plant_of(const char *symbol) {
    for (size_t i = 0; i < PLANTS; i++) {
        size_t n = strlen(plants[i].name);
        if (!strncmp(symbol, plants[i].name, n) && (!symbol[n] || symbol[n] == '.')) return i;
    }
    return -1;
}

/* read_symbols looks for planted functions in the program's table of symbols. */
PLAIN static void read_symbols(const char *image, uint64_t bias) {
    const ElfW(Ehdr) *header = (const void *)image;
    const ElfW(Shdr) *sections = (const void *)(image + header->e_shoff);
    for (int s = 0; s < header->e_shnum; s++) {
        if (sections[s].sh_type != SHT_SYMTAB) continue;
        const ElfW(Sym) *symbol = (const void *)(image + sections[s].sh_offset), *end = symbol + sections[s].sh_size / sizeof *symbol;
        const char *names = image + sections[sections[s].sh_link].sh_offset;
        for (; symbol < end; symbol++) {
            int plant = (symbol->st_info & 15) == STT_FUNC && symbol->st_value ? plant_of(names + symbol->st_name) : -1;
            if (plant < 0 || copies == COPIES) continue;
            planted[copies].address = (void *)(bias + symbol->st_value);
            planted[copies++].plant = plant;
        }
    }
}

/* calibrate measures what reading the time of a thread takes, half of which lies in a call when it begins and half when it ends. */
PLAIN static void calibrate(void) {
    for (int i = 0; i < 200; i++) {
        uint64_t from = computed_ns(), took = computed_ns() - from;
        if (took < reading_ns) reading_ns = took;
    }
}

/* prepare_plants finds the functions, and ends the program where it has none of the functions of a row: what was recorded would not hold what its name says. */
PLAIN static void prepare_plants(void) {
    uint64_t bias = 0;
    struct stat about;
    int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    calibrate();
    dl_iterate_phdr(program_bias, &bias);
    if (file >= 0 && !fstat(file, &about)) {
        char *image = mmap(0, about.st_size, PROT_READ, MAP_PRIVATE, file, 0);
        if (image != MAP_FAILED) {
            read_symbols(image, bias);
            munmap(image, about.st_size);
        }
    }
    if (file >= 0) close(file);
    for (size_t i = 0; i < PLANTS; i++) {
        int found = 0;
        for (int c = 0; c < copies; c++) found |= planted[c].plant == (int)i;
        if (found) continue;
        char path[4096];
        ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
        path[length < 0 ? 0 : length] = 0;
        fprintf(stderr, "tracelake_recorder: the table of symbols of %s has no function %s, so that nothing can be planted in it; "
                "where this program only starts the recorded one, as nice does, let it start env LD_PRELOAD=RECORDER PROGRAM\n", path, plants[i].name);
        _exit(1);
    }
}

/* planted_enter notes a call before the time of its enter is taken. */
PLAIN static inline void planted_enter(void *function) {
    if (depth++ >= DEEPEST) return;
    call *c = &calls[depth - 1];
    *c = (call){.function = function, .plant = -1};
    for (int i = 0; i < copies; i++)
        if (planted[i].address == function) c->plant = planted[i].plant;
    c->timed = c->plant >= 0 || (depth > 1 && c[-1].plant >= 0);
    if (c->timed) c->entered = computed_ns();
}

/* planted_leave does what is planted in a call, and reports whether time passed. Calls that were left by a jump or an exception end with
 * the one that they stand in. */
PLAIN static inline int planted_leave(void *function) {
    int at = depth - 1;
    if (at >= DEEPEST) {
        depth = at;
        return 0;
    }
    while (at >= 0 && calls[at].function != function) at--;
    if (at < 0) return 0;
    depth = at;
    call *c = &calls[at];
    if (!c->timed) return 0;
    uint64_t now = computed_ns();
    if (c->plant >= 0) {
        double *owed = &owed_ns[c->plant];
        uint64_t from = now;
        uint64_t own = now - c->entered, others = c->inner + reading_ns;
        if (own > others) *owed += plants[c->plant].share * (own - others);
        while ((double)(now - from) < *owed) now = computed_ns();
        *owed -= now - from;
        if (plants[c->plant].sleep_ns) {
            struct timespec pause = {plants[c->plant].sleep_ns / 1000000000u, plants[c->plant].sleep_ns % 1000000000u};
            nanosleep(&pause, 0);
        }
    }
    if (at > 0) calls[at - 1].inner += now - c->entered + reading_ns;
    return c->plant >= 0;
}

