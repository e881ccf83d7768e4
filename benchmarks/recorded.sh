#!/usr/bin/env bash
# What a recorded call costs the program, in CPU time: batches of 6000 calls, 10 a second, by a program that is recorded and by one that is not, in turns.
# Prints for each turn the ns of a call in its own thread, half of the batches below and half above, and what all other threads take a call, which are
# those that send. The log goes to /dev/null, so that it is no disk that is measured. Needs gcc and bin/ingest.
#
#   benchmarks/recorded.sh [STEPS OF A CALL] [TURNS]      without steps a call does next to nothing; 20000 are about 10 us
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
bin/ingest record c -o "$dir/recorder.c"
cat >"$dir/calls.c" <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#define PLAIN __attribute__((no_instrument_function))
enum { BATCHES = 40, CALLS = 6000 };
static volatile unsigned state;
PLAIN static double ns(clockid_t of) { struct timespec t; clock_gettime(of, &t); return t.tv_sec * 1e9 + t.tv_nsec; }
PLAIN static int order(const void *a, const void *b) { double x = *(const double *)a, y = *(const double *)b; return (x > y) - (x < y); }
void work(int steps) { for (int i = 0; i < steps; i++) state = state * 3 + 1; }
int main(int argc, char **argv) {
	double took[BATCHES], own = 0, all = ns(CLOCK_PROCESS_CPUTIME_ID), before = ns(CLOCK_THREAD_CPUTIME_ID);
	for (int b = 0; b < BATCHES; b++) {
		usleep(100000);
		double began = ns(CLOCK_THREAD_CPUTIME_ID);
		for (int i = 0; i < CALLS; i++) work(argc > 1 ? atoi(argv[1]) : 0);
		took[b] = (ns(CLOCK_THREAD_CPUTIME_ID) - began) / CALLS;
	}
	own = ns(CLOCK_THREAD_CPUTIME_ID) - before;
	all = ns(CLOCK_PROCESS_CPUTIME_ID) - all;
	qsort(took, BATCHES, sizeof *took, order);
	printf("%.1f ns a call, %.1f beside it\n", took[BATCHES / 2], (all - own) / BATCHES / CALLS);
}
C
gcc -O2 -shared -fPIC -o "$dir/recorder.so" "$dir/recorder.c"
gcc -g -O1 -fno-inline -finstrument-functions -o "$dir/calls" "$dir/calls.c"
for _ in $(seq "${2:-3}"); do
	printf 'not recorded: '
	"$dir/calls" "${1:-0}"
	printf 'recorded:     '
	TRACELAKE_LOG_STREAM=1 TRACELAKE_LOG=/dev/null TRACELAKE_LOG_MAX=0 LD_PRELOAD="$dir/recorder.so" "$dir/calls" "${1:-0}"
done
