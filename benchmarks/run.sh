#!/usr/bin/env bash
# What each program costs over a generated trace of EVENTS events, beside the floors of the machine.
# usage: benchmarks/run.sh [EVENTS]      needs about 200 bytes of disk an event, under TMPDIR
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
events=${1:-5e6}

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
go build -o "$dir/bin/" ./cmd/ingest ./cmd/analyze ./benchmarks/generate ./benchmarks/floor ./benchmarks/measure
cd "$dir"

measure() { # NAME PROGRAM ARGUMENT...
	bin/measure -name "$1" -lines "$lines" "bin/${@:2}" 2>>log || { cat log >&2; exit 1; }
}

lines=$(awk -v events="$events" 'BEGIN { printf "%d", events }')
bin/measure -header
measure generate generate -events "$events" -seed 1 -o base.txt
lines=$(wc -l <base.txt)
measure ingest ingest --quiet --lake lake --run base base.txt
measure 'ingest 1 core' ingest --quiet --lake one --run base --jobs 1 base.txt
measure 'ingest 1 GiB' ingest --quiet --lake small --run base --memory 1GiB base.txt
measure 'ingest again' ingest --quiet --lake lake --run base base.txt
measure analyze analyze --quiet --lake lake run
measure 'analyze 1 core' analyze --quiet --lake one run --jobs 1
measure 'analyze 1 GiB' analyze --quiet --lake small run --memory 1GiB
measure 'analyze again' analyze --quiet --lake lake run
for other in one small; do diff -rq lake $other --exclude=_lock --exclude='*.duckdb' --exclude=_work && printf 'lake %s: the same bytes\n' $other; done
printf '\ntrace %s lines, %s bytes; lake %s bytes\n\n' "$lines" "$(wc -c <base.txt)" "$(du -sb lake | cut -f1)"
bin/floor -dir "$dir" base.txt
