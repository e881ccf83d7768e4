#!/usr/bin/env bash
# By how much recording slows a program, in CPU time of the program, all its threads counted: calls of about 10 us each, of a program that is not
# instrumented, of one that is recorded into a lake while it runs, and of one at which a page looks on. The three follow each other in turns, in an order
# that changes from turn to turn, once with the recorder for C and once with uftrace. Prints the median of the turns' ratios, and the interval in which the
# median lies with 95 % (order statistics, which ask nothing of the distribution). Needs gcc, curl, bin/ingest and bin/analyze, and uftrace for that part.
#
#   benchmarks/slowdown.sh [TURNS] [CALLS]        20 turns of 50000 calls take some minutes
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
turns=${1:-20} calls=${2:-50000}
dir=$(mktemp -d)
started=()
trap 'kill "${started[@]}" 2>/dev/null || true; rm -rf "$dir"' EXIT
bin/ingest record c -o "$dir/recorder.c"
cat >"$dir/calls.c" <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
static volatile unsigned state;
void work(int steps) { for (int i = 0; i < steps; i++) state = state * 3 + 1; }
__attribute__((no_instrument_function)) int main(int argc, char **argv) {
	struct timespec began, t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &began); // what loading the recorder takes is paid once
	for (int i = 0; i < atoi(argv[1]); i++) work(20000);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	fprintf(stderr, "%.6f\n", t.tv_sec - began.tv_sec + (t.tv_nsec - began.tv_nsec) / 1e9);
}
C
gcc -O2 -shared -fPIC -o "$dir/recorder.so" "$dir/recorder.c"
gcc -g -O1 -fno-inline -o "$dir/plain" "$dir/calls.c"
gcc -g -O1 -fno-inline -finstrument-functions -o "$dir/c" "$dir/calls.c"
gcc -g -O1 -fno-inline -pg -o "$dir/uftrace" "$dir/calls.c"
mkdir "$dir/lake"

# look has a page look at a run until it ends.
look() {
	rm -f "$dir/address" "$dir/cookie"
	bin/analyze --lake "$dir/lake" serve --listen 127.0.0.1:0 >"$dir/address" 2>/dev/null &
	server=$!
	started+=("$server")
	until [ -s "$dir/address" ]; do sleep 0.05; done
	curl -s -o /dev/null -c "$dir/cookie" "$(cat "$dir/address")"
	curl -s -N -o /dev/null -b "$dir/cookie" "$(sed 's|/?.*||' "$dir/address")/api/live/$1/frames?interval=1000000000&pixels=400" &
	page=$!
	started+=("$page")
}

# turn runs the program once, recorded by a tool ("" for none) and looked at or not, and prints its CPU time.
turn() {
	local tool=$1 watched=$2 run=run-$((n++)) source where recorder
	if [ -z "$tool" ]; then
		"$dir/plain" "$calls" 2>"$dir/took"
		return
	fi
	source=$dir/$run.raw
	[ "$tool" = c ] && : >"$source" || source=uftrace:127.0.0.1:0
	rm -f "$dir/said"
	bin/ingest --lake "$dir/lake" --follow --run "$run" --idle 3s "$source" 2>"$dir/said" &
	recorder=$!
	started+=("$recorder")
	until grep -qs 'to watch it' "$dir/said"; do sleep 0.05; done
	where=$(sed -n 's/.*sends to \([0-9.]*:[0-9]*\).*/\1/p' "$dir/said" | head -1)
	[ "$watched" = no ] || look "$run"
	if [ "$tool" = c ]; then
		TRACELAKE_LOG_STREAM=1 TRACELAKE_LOG="$source" LD_PRELOAD="$dir/recorder.so" "$dir/c" "$calls" 2>"$dir/took"
	else
		uftrace record --host "${where%:*}" --port "${where#*:}" "$dir/uftrace" "$calls" 2>"$dir/took" >/dev/null
	fi
	[ "$watched" = no ] || kill "$page" "$server" 2>/dev/null || true
	kill -INT "$recorder" 2>/dev/null || true
	wait 2>/dev/null || true
	started=()
	bin/analyze --quiet --lake "$dir/lake" drop "$run" >/dev/null 2>&1 || true
	rm -f "$dir/$run.raw"
}

# compared prints the median ratio of two columns less 1, and its interval.
compared() {
	awk -v a="$1" -v b="$2" '{ print $b / $a - 1 }' "$dir/turns" | sort -g | awk -v what="$3" '
		{ x[NR] = $1 }
		END {
			k = int((NR - 1.96 * sqrt(NR)) / 2); if (k < 0) k = 0
			m = NR % 2 ? x[(NR + 1) / 2] : (x[NR / 2] + x[NR / 2 + 1]) / 2
			printf "%s: %+.2f %% of the CPU time of the program, between %+.2f and %+.2f with 95 %%, of %d turns\n", what, 100 * m, 100 * x[k + 1], 100 * x[NR - k], NR
		}'
}

n=0
for tool in c uftrace; do
	if ! command -v "$tool" >/dev/null && [ "$tool" != c ]; then
		echo "$tool: not installed"
		continue
	fi
	: >"$dir/turns"
	for i in $(seq "$turns"); do
		declare -A took=()
		for j in 0 1 2; do
			case $(((i + j) % 3)) in
			0) turn "" no; took[plain]=$(tail -1 "$dir/took") ;;
			1) turn "$tool" no; took[recorded]=$(tail -1 "$dir/took") ;;
			2) turn "$tool" yes; took[watched]=$(tail -1 "$dir/took") ;;
			esac
		done
		echo "${took[plain]} ${took[recorded]} ${took[watched]}" >>"$dir/turns"
	done
	compared 1 2 "$tool, recorded"
	compared 1 3 "$tool, recorded and looked at"
done
