#!/usr/bin/env bash
# What each program costs over a generated trace of EVENTS events, beside the floors of the machine.
# usage: benchmarks/run.sh [EVENTS]      needs about 250 bytes of disk an event, under TMPDIR
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
events=${1:-5e6}

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
go build -o "$dir/bin/" ./cmd/ingest ./cmd/analyze ./benchmarks/generate ./benchmarks/floor ./benchmarks/measure ./benchmarks/inmemory ./benchmarks/scaling
cd "$dir"

measure() { # NAME PROGRAM ARGUMENT...
	bin/measure -name "$1" -lines "$lines" "bin/${@:2}" 2>>log || { cat log >&2; exit 1; }
}
forget() { bin/analyze --quiet --lake lake drop base $(printf -- "--table %s " executions constraints violations slack compositions summaries); }

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
for other in one small; do diff -rq lake $other --exclude=_lock --exclude='*.duckdb' --exclude=_work --exclude=_measured && printf 'lake %s: the same bytes\n' $other; done
printf '\nwhat the tasks cost, one after the other, and how long they would take on more cores, without the ingest:\n\n'
bin/analyze --lake one plan --measured base
bin/analyze --lake one plan --measured --format json base >tasks.json
bin/scaling tasks.json
printf '\nthe same in 16 buckets, four of them in a task of constraints:\n\n'
bin/scaling -buckets 16 -merge constraints=4 tasks.json
printf '\ntrace %s lines, %s bytes; lake %s bytes\n\n' "$lines" "$(wc -c <base.txt)" "$(du -sb lake | cut -f1)"

# The stages of the TMSC one after the other, then questions to it. control is the finish of the last exposure.
forget
bin/measure -header
for stage in executions constraints validate slack compositions summaries; do measure "$stage" analyze --quiet --lake lake run --stage $stage; done
last="expose_ctrl.expose_field#$(bin/analyze --lake lake query --format csv "SELECT max(number) FROM executions WHERE function = 'expose_field'" | tail -1 | tr -d '\r')"
measure 'path, one' analyze --quiet --lake lake critical-path base --to "$last"
measure 'path to start' analyze --quiet --lake lake critical-path base --to "$last" --from trace
measure 'paths, all' analyze --quiet --lake lake critical-path base --to expose_ctrl.expose_field
measure 'paths, 1 GiB' analyze --quiet --memory 1GiB --lake lake critical-path base --to expose_ctrl.expose_field
measure 'deadline' analyze --quiet --lake lake critical-path base --to expose_ctrl.compute_setpoint --deadline 149ms
measure 'timeline' analyze --quiet --lake lake timeline base --around "$last" -o window.svg
printf '\na million events on one core in memory, as PPS does it:\n\n'
bin/generate -events 1e6 -seed 1 -o million.txt >>log 2>&1
bin/inmemory million.txt

# Two releases of the same machine, five runs of each, the second with a function that takes 30 % longer: steps, metrics,
# messages and critical paths compared, then their behaviour on six levels.
printf '\ntwo releases of five runs of 5 M events:\n\n'
for seed in 1 2 3 4 5 6 7 8 9 10; do
	slow= release=a
	if [ $seed -gt 5 ]; then slow='-slow lens_ctrl.lens_ctrl_update_model=1.3' release=b; fi
	bin/generate -events 5e6 -seed $seed $slow -o release.txt >>log 2>&1
	bin/ingest --quiet --lake two --label release=$release --run $release-$seed release.txt
done
bin/analyze --quiet --lake two run
lines=50000000
bin/measure -header
measure 'compare 5 v 5' analyze --quiet --lake two compare --base release=a --cand release=b --id nightly
measure 'the same, thesis' analyze --quiet --lake two compare --base release=a --cand release=b --method thesis --id thesis
lines=10000000
measure 'compare 1 v 1' analyze --quiet --lake two compare --base a-1 --cand b-6
measure 'levels 1 v 1' analyze --quiet --lake two levels a-1 b-6
printf '\n'
bin/analyze --quiet --lake two compare --base release=a --cand release=b --id nightly >nightly.txt
sed -n 1,14p nightly.txt
bin/analyze --lake two query "SELECT level, count(*) AS compared FROM changes WHERE comparison = 'nightly' GROUP BY level ORDER BY level"
bin/analyze --lake two query "SELECT run, count(*) AS fragments, sum(states) AS states, sum(transitions) AS transitions FROM fragments WHERE run IN ('a-1', 'b-6') GROUP BY run ORDER BY run"
printf '\n'
bin/floor -dir "$dir" base.txt
