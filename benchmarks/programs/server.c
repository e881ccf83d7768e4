/* A cache server with threads, to be recorded: clients put requests into a queue, workers take them out, look the key up, pack
 * the value and answer. What a worker waits for and what it does thus depend on the others, as in a real server.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORKERS = 3, REQUESTS = 90, ENTRIES = 256, VALUE = 2048 };

typedef struct request {
    char text[64];
    uint32_t answer;
    int done;
    struct request *next;
} request;
typedef struct {
    char key[24];
    uint8_t value[VALUE];
    uint32_t used;
} entry;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, guard = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER, answered = PTHREAD_COND_INITIALIZER;
static request *first, **last = &first, requests[REQUESTS];
static entry entries[ENTRIES];
static uint32_t clock_hand;
static int closing;

static void enqueue(request *r) {
    pthread_mutex_lock(&lock);
    *last = r;
    last = &r->next;
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&lock);
}

/* wait_for_request blocks until there is one; 0 at the end. */
static request *wait_for_request(void) {
    pthread_mutex_lock(&lock);
    while (!first && !closing) pthread_cond_wait(&filled, &lock);
    request *r = first;
    if (r && !(first = r->next)) last = &first;
    pthread_mutex_unlock(&lock);
    return r;
}

static int parse_request(const request *r, char *key) {
    char verb[8];
    return sscanf(r->text, "%7s %23s", verb, key) == 2 && !strcmp(verb, "GET");
}

static uint32_t hash_key(const char *key) {
    uint32_t hash = 2166136261u;
    for (int round = 0; round < 60; round++)
        for (const char *c = key; *c; c++) hash = (hash ^ (uint8_t)*c) * 16777619;
    return hash;
}

static void fill_value(entry *e, const char *key, uint32_t seed) {
    snprintf(e->key, sizeof e->key, "%s", key);
    for (int i = 0; i < VALUE; i++) e->value[i] = (seed = seed * 1664525 + 1013904223) >> 28;
}

/* evict looks for the entry that was used least. */
static entry *evict(void) {
    entry *least = entries;
    for (int i = 1; i < ENTRIES; i++)
        if (entries[i].used < least->used) least = &entries[i];
    return least;
}

static entry *find_entry(const char *key, uint32_t hash) {
    for (int i = 0; i < ENTRIES; i++)
        if (!strcmp(entries[i].key, key)) return &entries[i];
    entry *e = evict();
    fill_value(e, key, hash);
    return e;
}

/* pack_value shortens runs of equal values and replaces pairs that came before. */
static int pack_value(const entry *e, uint8_t *out) {
    int n = 0;
    for (int i = 0; i < VALUE;) {
        int longest = 0, place = 0;
        for (int from = i > 64 ? i - 64 : 0; from < i; from++) {
            int same = 0;
            while (same < 15 && i + same < VALUE && e->value[from + same] == e->value[i + same]) same++;
            if (same > longest) longest = same, place = i - from;
        }
        out[n++] = longest > 2 ? 0x80 | place : e->value[i];
        i += longest > 2 ? longest : 1;
    }
    return n;
}

static uint32_t checksum(const uint8_t *bytes, int n) {
    uint32_t sum = 0xffffffff;
    for (int i = 0; i < n; i++) {
        sum ^= bytes[i];
        for (int bit = 0; bit < 8; bit++) sum = sum >> 1 ^ (0xedb88320 & -(sum & 1));
    }
    return ~sum;
}

static void reply(request *r, uint32_t answer) {
    pthread_mutex_lock(&lock);
    r->answer = answer;
    r->done = 1;
    pthread_cond_broadcast(&answered);
    pthread_mutex_unlock(&lock);
}

static void serve(request *r) {
    char key[24] = "";
    uint8_t packed[VALUE];
    if (!parse_request(r, key)) return reply(r, 0);
    uint32_t hash = hash_key(key);
    pthread_mutex_lock(&guard);
    entry *e = find_entry(key, hash);
    e->used = ++clock_hand;
    pthread_mutex_unlock(&guard);
    int n = pack_value(e, packed);
    reply(r, checksum(packed, n));
}

static void *worker(void *unused) {
    for (request *r; (r = wait_for_request());) serve(r);
    return unused;
}

/* client has four requests under way at most. */
static void await(request *r) {
    pthread_mutex_lock(&lock);
    while (!r->done) pthread_cond_wait(&answered, &lock);
    pthread_mutex_unlock(&lock);
}

static void client(void) {
    uint32_t seed = 7;
    for (int i = 0; i < REQUESTS; i++) {
        if (i >= 4) await(&requests[i - 4]);
        seed = seed * 1664525 + 1013904223;
        snprintf(requests[i].text, sizeof requests[i].text, "GET key-%u", (unsigned)(seed >> 24) % 40);
        enqueue(&requests[i]);
    }
    for (int i = REQUESTS - 4; i < REQUESTS; i++) await(&requests[i]);
}

static void close_queue(void) {
    pthread_mutex_lock(&lock);
    closing = 1;
    pthread_cond_broadcast(&filled);
    pthread_mutex_unlock(&lock);
}

int main(void) {
    pthread_t threads[WORKERS];
    uint32_t all = 0;
    for (int i = 0; i < WORKERS; i++) pthread_create(&threads[i], 0, worker, 0);
    client();
    close_queue();
    for (int i = 0; i < WORKERS; i++) pthread_join(threads[i], 0);
    for (int i = 0; i < REQUESTS; i++) all ^= requests[i].answer;
    printf("%u\n", (unsigned)all);
    return 0;
}
