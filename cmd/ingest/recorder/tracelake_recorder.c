/* tracelake_recorder: records the calls of a program built with -finstrument-functions, for ingest.
 *
 *   gcc -O2 -shared -fPIC -o tracelake_recorder.so tracelake_recorder.c
 *   TRACELAKE_LOG=run.raw LD_PRELOAD=./tracelake_recorder.so ./program
 *
 * or compiled and linked into the program. TRACELAKE_LOG names the file to write; without it nothing is done. The
 * variable is taken out of the environment, so programs that the program starts are left alone; a child that it
 * forks writes to its own file, run.raw.PID. TRACELAKE_LOG_MAX is how many MiB the file may have (default 1024).
 *
 * To be watched while it runs, the program sends its records every 40 ms: TRACELAKE_LOG is tcp:HOST:PORT (a number, 127.0.0.1
 * for this machine) or unix:PATH then, where ingest --follow listens, or TRACELAKE_LOG_STREAM=1 has the file be written like
 * that. Each thread has room for 32,768 records; what does not fit until they are sent is lost and counted, and the program
 * never waits. At most the last 40 ms are lost when it is killed. A child that it forks is not recorded then.
 *
 * The file holds records of 32 bytes, in the byte order of the machine:
 *
 *   u64 time (ns, CLOCK_MONOTONIC)  u64 function  u64 call site  u32 thread  u32 kind (0 enter, 1 leave)
 *
 * and remarks: a record of kind 2, whose function is a number of bytes that follow it, a multiple of 32. They are
 * lines of text that end with the first zero: "# module 0xSTART 0xEND 0xBIAS PATH" (the program first) and
 * "# lost THREAD RECORDS" when the file was full; or nothing, where a thread did not need the rest of its room.
 *
 * A thread takes a piece of the file, of 64 KiB and then 1 MiB, maps it and writes into it: a record costs a clock
 * and 32 bytes, no lock, no system call. What was written survives any end of the process; if it is killed, leaves by
 * _exit() or executes another program, the rest of each thread's piece is zeros. Not recorded: what runs before this
 * file's constructor or after its destructor, children of a raw clone(). The modules are those at the start and, on a
 * normal end, those at the end.
 *
 * Where TRACELAKE_PLANTS is defined, what "ingest record c --plant" writes before this text makes functions slower.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <fcntl.h>
#include <arpa/inet.h>
#include <errno.h>
#include <limits.h>
#include <link.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#ifndef PLAIN
#define PLAIN __attribute__((no_instrument_function))
#endif
#define FIRST (1 << 16) /* bytes of the file that a thread takes at first */
#define LATER (1 << 20) /* and then */
#define RING (1 << 15) /* records of a thread that wait to be sent */
#define EVERY 40 /* ms between sending and sending */

typedef struct {
    uint64_t time, function, call_site;
    uint32_t thread, kind;
} record;

enum { ENTER, LEAVE, REMARK };

/* room is what a thread writes into. When the thread ends another one goes on with it. */
typedef struct room {
    record *next, *end; /* equal: nothing left */
    record *start;
    uint64_t at; /* of end in the file */
    uint64_t lost;
    uint32_t thread;
    _Atomic uint64_t sent; /* records, where they are sent */
    uint64_t before; /* records of earlier rounds of the ring */
    uint64_t latest; /* time of a record that was sent */
    struct room *older, *spare;
} room;

static __thread room *mine;
static __thread int busy; /* taking room: calls of an instrumented allocator and the like are not recorded */

static room *rooms, *spares; /* of all threads, and of those that have ended */
static atomic_flag locked = ATOMIC_FLAG_INIT; /* guards the lists, which change when a thread begins or ends */
static _Atomic uint64_t taken; /* bytes of the file */
static uint64_t most;
static char path[PATH_MAX];
static int file = -1;
static _Atomic int on;
static pthread_key_t ending;
static int streams; /* records are sent every 40 ms */
static int wake[2]; /* a pipe that ends the wait of the sender */
static pthread_t sender;
static uint64_t written; /* bytes that were sent */
static int broken; /* nothing more can be sent */

/* Where records are sent and the system keeps its own time by the counter of the processor (TSC), a record has a number of that, which costs a
 * third of asking for the time, and the sender makes ns of it: between two readings of both, one at each sending, time grows linearly.
 * What was counted after the second one waits for the next sending, so that the times of all threads stay in order. */
static int counts;
static struct reading { uint64_t count, ns; } last, now; /* the two readings */

PLAIN static void warn(const char *what) {
    char line[PATH_MAX + 64];
    int n = snprintf(line, sizeof line, "tracelake_recorder: %s: %m\n", what);
    if (write(2, line, n) < 0) return;
}

/* Remarks are gathered in a buffer behind the record that announces them. */
#define REMARKS (1 << 16)
static char remarks[REMARKS + 8192]; /* and what fills them up */
static size_t remarked;

PLAIN static int module(struct dl_phdr_info *info, size_t size, void *program) {
    const char *name = info->dlpi_name;
    char self[PATH_MAX];
    (void)size;
    if (*(int *)program) { /* the first one, which has no name here */
        ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
        self[n < 0 ? 0 : n] = 0;
        name = n < 0 ? "program" : self;
        *(int *)program = 0;
    }
    if (!*name) return 0;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        if (p->p_type != PT_LOAD || !(p->p_flags & PF_X)) continue;
        unsigned long start = info->dlpi_addr + p->p_vaddr;
        int n = snprintf(remarks + remarked, REMARKS - remarked, "# module 0x%lx 0x%lx 0x%lx %s\n", start,
                         start + (unsigned long)p->p_memsz, (unsigned long)info->dlpi_addr, name);
        if (n < 0 || remarked + n >= REMARKS) {
            remarks[remarked] = 0;
            return 1; /* no more modules */
        }
        remarked += n;
    }
    return 0;
}

/* lock sleeps while another thread has the lock: of threads with real-time priority, which nothing takes a core from, a waiting
 * one would otherwise keep the one that has the lock from ever leaving it. */
PLAIN static void lock(void) {
    const struct timespec pause = {0, 20000};
    while (atomic_flag_test_and_set_explicit(&locked, memory_order_acquire)) nanosleep(&pause, 0);
}

PLAIN static void unlock(void) { atomic_flag_clear_explicit(&locked, memory_order_release); }

/* put_all writes bytes, however few go at once. */
PLAIN static int put_all(const void *from, size_t size) {
    const char *at = from;
    while (size) {
        ssize_t n = write(file, at, size);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return -1;
        at += n;
        size -= n;
        written += n;
    }
    return 0;
}

PLAIN static inline uint64_t clock_ns(void) {
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    return (uint64_t)at.tv_sec * 1000000000u + at.tv_nsec;
}

PLAIN static inline uint64_t counter(void) {
#ifdef __x86_64__
    return __builtin_ia32_rdtsc();
#else
    return 0;
#endif
}

/* read_both reads the time and the counter, and again where the thread was held up between them. */
PLAIN static struct reading read_both(void) {
    struct reading best = {0};
    for (uint64_t i = 0, gap = ~0ull; i < 5; i++) {
        uint64_t before = counter(), ns = clock_ns(), after = counter();
        if (after - before < gap) {
            gap = after - before;
            best = (struct reading){before + gap / 2, ns};
        }
    }
    return best;
}

/* begin_counting reads the counter from now on, where the system keeps its time by it. */
PLAIN static void begin_counting(void) {
#ifdef __x86_64__
    char name[8] = "";
    int source = open("/sys/devices/system/clocksource/clocksource0/current_clocksource", O_RDONLY | O_CLOEXEC);
    if (source < 0) return;
    counts = read(source, name, sizeof name) == 4 && !memcmp(name, "tsc\n", 4);
    close(source);
    now = read_both();
#endif
}

/* time_of is the time of a count. One before both readings is of a thread that was held up while it wrote its record. */
PLAIN static inline uint64_t time_of(uint64_t count) {
    double ns = (double)(now.ns - last.ns) / (double)(now.count - last.count);
    return last.ns + (int64_t)(ns * (double)(int64_t)(count - last.count));
}

/* send_records sends what threads have written, up to a record that is not written yet: its time is 0. */
PLAIN static void send_records(void) {
    uint64_t until = ~0ull;
    if (counts) {
        struct reading next = read_both();
        if (next.count <= now.count || next.ns <= now.ns) return;
        last = now;
        now = next;
        until = now.count;
    }
    lock();
    room *all = rooms;
    unlock();
    for (room *r = all; r; r = r->older) {
        uint64_t at = r->sent;
        while (r->start && !broken) {
            record *from = r->start + at % RING, *to = from;
            while (to < r->start + RING) {
                uint64_t at = atomic_load_explicit((_Atomic uint64_t *)&to->time, memory_order_acquire);
                if (!at || at > until) break;
                if (counts) {
                    uint64_t ns = time_of(at);
                    to->time = r->latest = ns > r->latest ? ns : r->latest;
                }
                to++;
            }
            if (to == from) break;
            size_t size = (char *)to - (char *)from;
            if (most && written + size > most) { /* the file is as long as it may be: what follows is lost */
                broken = 1;
                break;
            }
            if (put_all(from, size)) {
                warn(path);
                broken = 1;
                break;
            }
            for (record *c = from; c < to; c++) c->time = 0;
            at += to - from;
            atomic_store_explicit(&r->sent, at, memory_order_release);
        }
    }
}

/* send_on sends until the program ends. */
PLAIN static void *send_on(void *unused) {
    struct pollfd until = {.fd = wake[0], .events = POLLIN};
    (void)unused;
    busy = 1;
    while (poll(&until, 1, EVERY) <= 0) send_records();
    return 0;
}

/* make_place lets a thread write on in its ring, as far as that was sent. */
PLAIN static void make_place(room *r) {
    if (!r->start) {
        record *ring = mmap(0, RING * sizeof(record), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
        if (ring == MAP_FAILED) return;
        r->next = r->end = ring;
        r->start = ring;
    } else if (r->next == r->start + RING) {
        r->before += RING;
        r->next = r->end = r->start;
    }
    uint64_t used = r->before + (r->next - r->start) - atomic_load_explicit(&r->sent, memory_order_acquire);
    uint64_t left = r->start + RING - r->next, free = RING - used;
    r->end = r->next + (free < left ? free : left);
}

/* put_remarks writes what was gathered at the end of the file, up to a multiple of unit bytes. */
PLAIN static void put_remarks(uint64_t unit) {
    uint64_t size = (remarked + sizeof(record) + unit) / unit * unit; /* a zero at least behind the text */
    record head = {.function = size - sizeof(record), .kind = REMARK};
    if (streams) {
        memset(remarks + remarked, 0, size - sizeof head - remarked);
        if (!broken && (put_all(&head, sizeof head) || put_all(remarks, size - sizeof head))) warn(path);
        remarked = 0;
        return;
    }
    uint64_t at = atomic_fetch_add(&taken, size);
    if (pwrite(file, &head, sizeof head, at) < 0 || pwrite(file, remarks, remarked, at + sizeof head) < 0 ||
        pwrite(file, "", 1, at + size - 1) < 0)
        warn(path);
    remarked = 0;
}

PLAIN static void put_modules(uint64_t unit) {
    int program = 1;
    dl_iterate_phdr(module, &program);
#ifdef TRACELAKE_PLANTS
    remarked += describe_plants(remarks + remarked, REMARKS - remarked);
#endif
    put_remarks(unit);
}

/* reach opens what records are sent to. */
PLAIN static int reach(void) {
    struct sockaddr_un local = {.sun_family = AF_UNIX};
    struct sockaddr_in far = {.sin_family = AF_INET};
    char *colon = strrchr(path, ':');
    if (!strncmp(path, "unix:", 5)) {
        size_t size = strlen(path + 5);
        errno = ENAMETOOLONG;
        if (size >= sizeof local.sun_path) return -1;
        memcpy(local.sun_path, path + 5, size);
        int s = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        return connect(s, (struct sockaddr *)&local, sizeof local) ? -1 : s;
    }
    if (strncmp(path, "tcp:", 4)) return open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0644);
    far.sin_port = htons(atoi(colon + 1));
    *colon = 0;
    int known = inet_pton(AF_INET, strcmp(path + 4, "localhost") ? path + 4 : "127.0.0.1", &far.sin_addr);
    *colon = ':';
    errno = EINVAL;
    if (known != 1) return -1;
    int s = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    return connect(s, (struct sockaddr *)&far, sizeof far) ? -1 : s;
}

/* begin_stream begins to send. The sender takes no signals: one that broke its connection would end the program. */
PLAIN static void begin_stream(void) {
    sigset_t all, was;
    file = reach();
    if (file < 0 || pipe2(wake, O_CLOEXEC)) {
        warn(path);
        return;
    }
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &was);
    put_modules(sizeof(record));
    begin_counting();
    int failed = pthread_create(&sender, 0, send_on, 0);
    pthread_sigmask(SIG_SETMASK, &was, 0);
    if (!failed) on = 1;
}

PLAIN static void begin(void) {
    if (streams) {
        begin_stream();
        return;
    }
    file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (file < 0) {
        warn(path);
        return;
    }
    taken = 0;
    put_modules(sysconf(_SC_PAGESIZE)); /* rooms are mapped, so they begin with a page */
    on = 1;
}

/* adopt finds a room for a thread that has none. */
PLAIN static room *adopt(void) {
    lock();
    room *r = spares;
    if (r) spares = r->spare;
    unlock();
    if (!r) {
        r = mmap(0, sizeof *r, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (r == MAP_FAILED) return 0;
        lock();
        r->older = rooms;
        rooms = r;
        unlock();
    }
    r->thread = syscall(SYS_gettid);
    pthread_setspecific(ending, r);
    return r;
}

/* extend gives a full room the next piece of the file. */
PLAIN static void extend(room *r) {
    if (streams) {
        make_place(r);
        return;
    }
    uint64_t size = r->start ? LATER : FIRST, at = taken;
    if (r->start) munmap(r->start, (char *)r->end - (char *)r->start);
    r->start = r->next = r->end = 0;
    do {
        if (at + size > most) return;
    } while (!atomic_compare_exchange_weak(&taken, &at, at + size));
    char *map = MAP_FAILED;
    if (!posix_fallocate(file, at, size)) map = mmap(0, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, file, at);
    if (map == MAP_FAILED) { /* the disk is full: no more of it */
        record unused = {.function = size - sizeof(record), .kind = REMARK};
        most = 0;
        if (pwrite(file, &unused, sizeof unused, at) < 0) warn(path);
        return;
    }
    r->at = at + size;
    r->end = (record *)(map + size);
    r->start = r->next = (record *)map;
}

/* take finds place for a record of the thread. */
PLAIN static int take(void) {
    if (busy || !on) return 0;
    busy = 1;
    if (!mine) mine = adopt();
    if (mine && mine->next == mine->end) extend(mine);
    busy = 0;
    if (mine && mine->next == mine->end) mine->lost++;
    return mine && mine->next != mine->end;
}

/* thread_ends leaves the thread's room to another. */
PLAIN static void thread_ends(void *r) {
    busy = 1;
    lock();
    ((room *)r)->spare = spares;
    spares = r;
    unlock();
    mine = 0;
    busy = 0;
}

/* give_back ends a room: the rest of it is cut off where it is this thread's and the end of the file, else it is a
 * remark without text. (Another thread may still write, which it may not behind the end of the file.) */
PLAIN static void give_back(room *r) {
    record *next = r->next;
    uint64_t rest = (char *)r->end - (char *)next, end = r->at;
    r->next = r->end;
    if (!rest) return;
    if (r == mine && atomic_compare_exchange_strong(&taken, &end, end - rest)) {
        if (ftruncate(file, end - rest)) warn(path);
        return;
    }
    *next = (record){.function = rest - sizeof(record), .kind = REMARK};
}

/* forked starts a file of its own for a child, which has this thread only. The rooms are its parent's. */
PLAIN static void forked(void) {
    if (!on) return;
    on = 0;
    if (streams) { /* the sender is the parent's */
        close(file);
        unlock();
        busy = 1;
        return;
    }
    for (room *r = rooms; r; r = r->older)
        if (r->start) munmap(r->start, (char *)r->end - (char *)r->start);
    rooms = spares = mine = 0;
    unlock();
    busy = 0;
    close(file);
    char *dot = path + strlen(path);
    snprintf(dot, path + sizeof path - dot, ".%d", (int)getpid());
    begin();
}

PLAIN __attribute__((constructor(101))) static void start(void) {
    const char *name = getenv("TRACELAKE_LOG"), *limit = getenv("TRACELAKE_LOG_MAX");
    if (!name || strlen(name) + 32 > sizeof path) return;
    /* a child may have gone to another folder when it forks */
    const char *stream = getenv("TRACELAKE_LOG_STREAM");
    int sends = !strncmp(name, "tcp:", 4) || !strncmp(name, "unix:", 5);
    streams = sends || (stream && *stream && strcmp(stream, "0"));
    if (sends || *name == '/' || !getcwd(path, sizeof path - strlen(name) - 32)) strcpy(path, name);
    else strcat(strcat(path, "/"), name);
    unsetenv("TRACELAKE_LOG");
    unsetenv("TRACELAKE_LOG_STREAM");
    if (sends && !limit) limit = "0"; /* no limit */
    most = (limit ? strtoull(limit, 0, 10) : 1024) << 20;
#ifdef TRACELAKE_PLANTS
    prepare_plants();
#endif
    if (pthread_key_create(&ending, thread_ends) || pthread_atfork(0, 0, forked)) return;
    begin();
}

PLAIN __attribute__((destructor(101))) static void stop(void) {
    if (!on) return;
    on = 0;
    if (streams) {
        sigset_t all;
        sigfillset(&all); /* as in the sender */
        pthread_sigmask(SIG_BLOCK, &all, 0);
        if (write(wake[1], "", 1) == 1) pthread_join(sender, 0);
        send_records();
    }
    uint64_t lost = 0;
    for (room *r = rooms; r; r = r->older) {
        if (r->lost && remarked + 64 < REMARKS)
            remarked += sprintf(remarks + remarked, "# lost %u %llu\n", r->thread, (unsigned long long)r->lost);
        lost += r->lost;
        if (!streams) give_back(r);
    }
    put_modules(sizeof(record));
    if (lost) fprintf(stderr, "tracelake_recorder: %s %s, %llu records were lost\n", path, streams && !broken ? "took records too slowly" : "is full",
                      (unsigned long long)lost);
    if (streams) close(file);
}

/* stamp is the time of a record, or the count that stands for it until it is sent. */
PLAIN static inline uint64_t stamp(void) { return counts ? counter() : clock_ns(); }

PLAIN static inline void put(void *function, void *call_site, uint32_t kind) {
    room *r = mine;
    if (__builtin_expect(!r || r->next == r->end, 0)) {
        if (!take()) return;
        r = mine;
    }
    record *to = r->next++;
#ifdef TRACELAKE_PLANTS
    if (kind == ENTER) planted_enter(function);
#endif
    uint64_t at = stamp();
#ifdef TRACELAKE_PLANTS
    if (kind == LEAVE && planted_leave(function)) at = stamp();
#endif
    to->function = (uint64_t)function;
    to->call_site = (uint64_t)call_site;
    to->thread = r->thread;
    to->kind = kind;
    atomic_store_explicit((_Atomic uint64_t *)&to->time, at, memory_order_release); /* last: it says that the record is whole */
}

PLAIN void __cyg_profile_func_enter(void *function, void *call_site) { put(function, call_site, ENTER); }
PLAIN void __cyg_profile_func_exit(void *function, void *call_site) { put(function, call_site, LEAVE); }
