/* An interpreter of a small language, to be recorded: it reads a program of assignments, loops and lists, makes a tree of it, walks
 * the tree, and collects what is no longer reachable. It prints what the program computes, so that a recording of a wrong
 * build is seen.
 */
#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SLOTS = 509, CELLS = 1 << 11, NODES = 1 << 14, WORDS = 1 << 15 };

/* The program in the language: 26 variables, numbers modulo 2^32, lists on a heap. */
static const char source[] =
    "n = 60; while n { n = n - 1; s = s * 31 + n * n + 7; push n; push s; "
    "k = 2; while k { k = k - 1; t = t + k * (s - n) * 3; } "
    "sort 900; sum 1200; name 300; } print s + t;";

typedef struct node {
    char kind, name;
    uint32_t value;
    struct node *left, *right, *next;
} node;
typedef struct cell {
    uint32_t value;
    int marked;
    struct cell *next;
} cell;

static const char *at = source;
static char words[WORDS][12];
static node nodes[NODES];
static cell cells[CELLS], *list, *freed;
static uint32_t variables[26], table[SLOTS], scratch[4096];
static int used, filled, taken;

static node *make(char kind, node *left, node *right) {
    nodes[used] = (node){.kind = kind, .left = left, .right = right};
    return &nodes[used++];
}

/* read_words splits the text into words; blanks and signs end a word. */
static void read_words(void) {
    while (*at) {
        while (isspace((unsigned char)*at)) at++;
        int n = 0;
        while (isalnum((unsigned char)*at) && n < 11) words[filled][n++] = *at++;
        if (!n && *at) words[filled][n++] = *at++;
        if (n) filled++;
    }
}

static node *expression(void);

static node *factor(void) {
    char *word = words[taken++];
    if (*word == '(') {
        node *inner = expression();
        taken++;
        return inner;
    }
    node *leaf = make(isdigit((unsigned char)*word) ? '#' : 'v', 0, 0);
    leaf->value = strtoul(word, 0, 10);
    leaf->name = *word;
    return leaf;
}

static node *term(void) {
    node *left = factor();
    while (*words[taken] == '*') {
        taken++;
        left = make('*', left, factor());
    }
    return left;
}

static node *expression(void) {
    node *left = term();
    while (*words[taken] == '+' || *words[taken] == '-') {
        char sign = *words[taken++];
        left = make(sign, left, term());
    }
    return left;
}

static node *block(void);

static node *statement(void) {
    char *word = words[taken++];
    node *s;
    if (!strcmp(word, "while")) {
        s = make('w', expression(), 0);
        taken++;
        s->right = block();
        taken++;
        return s;
    }
    if (!word[1]) {
        taken++;
        s = make('=', expression(), 0);
    } else {
        s = make(!strcmp(word, "push") ? 'p' : !strcmp(word, "sort") ? 'o' : !strcmp(word, "sum") ? 's' : !strcmp(word, "name") ? 'n' : 'P', expression(), 0);
    }
    s->name = *word;
    taken++;
    return s;
}

static node *block(void) {
    node head = {0}, *last = &head;
    while (taken < filled && *words[taken] != '}') last = last->next = statement();
    return head.next;
}

/* evaluate is one call for a whole expression. */
__attribute__((no_instrument_function)) static uint32_t value(const node *n) {
    switch (n->kind) {
    case '#': return n->value;
    case 'v': return variables[n->name - 'a'];
    case '+': return value(n->left) + value(n->right);
    case '-': return value(n->left) - value(n->right);
    }
    return value(n->left) * value(n->right);
}

static uint32_t evaluate(const node *n) { return value(n); }

static void mark(void) {
    for (cell *c = list; c; c = c->next) c->marked = 1;
}

static void sweep(void) {
    freed = 0;
    for (int i = 0; i < CELLS; i++) {
        if (cells[i].marked) cells[i].marked = 0;
        else cells[i].next = freed, freed = &cells[i];
    }
}

static void collect(void) {
    mark();
    sweep();
}

static void push(uint32_t v) {
    if (!freed || !freed->next) collect();
    cell *c = freed;
    freed = c->next;
    *c = (cell){v, 0, list};
    list = c;
}

/* sort_list sorts numbers that follow from the last one pushed. */
static void sort_list(uint32_t n) {
    uint32_t seed = list ? list->value : 1;
    for (uint32_t i = 0; i < n; i++) scratch[i] = seed = seed * 1664525 + 1013904223;
    for (uint32_t gap = n / 2; gap; gap /= 2)
        for (uint32_t i = gap; i < n; i++)
            for (uint32_t j = i; j >= gap && scratch[j - gap] > scratch[j]; j -= gap) {
                uint32_t swap = scratch[j];
                scratch[j] = scratch[j - gap];
                scratch[j - gap] = swap;
            }
}

static uint32_t sum_list(uint32_t n) {
    uint32_t sum = 0;
    for (uint32_t i = 0; i < n * 8; i++) sum = (sum << 5 | sum >> 27) ^ scratch[i % 900];
    return sum;
}

/* intern gives numbers places in a table of names. */
static void intern(uint32_t n) {
    for (uint32_t i = 0; i < n; i++) {
        char name[16];
        uint32_t hash = 2166136261u;
        snprintf(name, sizeof name, "x%u", (unsigned)scratch[i] % 1000);
        for (char *c = name; *c; c++) hash = (hash ^ (uint8_t)*c) * 16777619;
        table[hash % SLOTS]++;
    }
}

static void execute(const node *s);

static void loop(const node *s) {
    while (evaluate(s->left))
        for (const node *inner = s->right; inner; inner = inner->next) execute(inner);
}

static void execute(const node *s) {
    switch (s->kind) {
    case 'w': loop(s); break;
    case '=': variables[s->name - 'a'] = evaluate(s->left); break;
    case 'p': push(evaluate(s->left)); break;
    case 'o': sort_list(s->left->value); break;
    case 's': variables['s' - 'a'] += sum_list(s->left->value); break;
    case 'n': intern(s->left->value); break;
    default: printf("%u\n", (unsigned)evaluate(s->left));
    }
}

int main(void) {
    read_words();
    for (const node *s = block(); s; s = s->next) execute(s);
    return 0;
}
