#!/usr/bin/env bash
# Whether ingest, run, compare, history and levels keep within 1.1 times --memory, with inputs of ten times that size.
# usage: benchmarks/memory.sh [MIB]      --memory in MiB, 256 unless told; needs 25 times as much disk, under TMPDIR
# Where TRACELAKE_RECORDINGS names the folder of recordings, a hundred short runs are compared with a hundred, too.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
mib=${1:-256}

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
go build -o "$dir/bin/" ./cmd/ingest ./cmd/analyze ./benchmarks/generate ./benchmarks/measure
cd "$dir"

failed=0
measure() { # NAME PROGRAM ARGUMENT...
	bin/measure -name "$1" -lines "$lines" "bin/$2" --quiet --memory "${mib}MiB" "${@:3}" 2>log >line || { cat log >&2; exit 1; }
	awk -v mib="$mib" '{ most = mib * 1.1 * 1.048576; print $0, ($(NF-2) > most ? " over " most " MB" : " within " most " MB"); exit $(NF-2) > most }' line || failed=1
}
bin/measure -header

# One run whose text is ten times the budget: a line of the generated trace has 53 bytes.
lines=$((mib * 1048576 * 10 / 53))
bin/generate -events "$lines" -o trace.txt 2>>log
measure ingest ingest --lake one --run base trace.txt
rm trace.txt
measure run analyze --lake one run base
rm -r one

# Ten runs that are so much together: five of a release, and five of another with a function that takes 30 % longer.
for seed in 1 2 3 4 5 6 7 8 9 10; do
	slow= release=a
	if [ $seed -gt 5 ]; then slow='-slow lens_ctrl.lens_ctrl_update_model=1.3' release=b; fi
	bin/generate -events $((lines / 10)) -seed $seed $slow -o release.txt 2>>log
	bin/ingest --quiet --lake two --memory "${mib}MiB" --label release=$release --label pair=$(((seed + 1) / 2)) --run "$seed" release.txt
done
rm release.txt
bin/analyze --quiet --lake two --memory "${mib}MiB" run
measure 'compare 5 v 5' analyze --lake two compare --base release=a --cand release=b
measure 'history of 5 x 2' analyze --lake two history --by pair
measure 'levels of 5 x 2' analyze --lake two levels pair=1 pair=2 pair=3 pair=4 pair=5
rm -r two

# Many runs: what is known of all of them at once counts.
if [ -n "${TRACELAKE_RECORDINGS:-}" ]; then
	for n in $(seq 100); do
		for side in http-fast http-slow20ms; do
			from=$(printf '%s/curl-quiet/8.14.1/%s/run-%02d.txt.zst' "$TRACELAKE_RECORDINGS" $side $((n % 10 + 1)))
			bin/ingest --quiet --lake many --label side=$side --label n="$n" --run "$side-$n" "$from"
		done
	done
	bin/analyze --quiet --lake many run
	lines=3000000
	measure 'compare 100v100' analyze --lake many compare --base side=http-fast --cand side=http-slow20ms
	measure 'history 100 x 2' analyze --lake many history --by n
	measure 'levels 100 v 100' analyze --lake many levels side=http-fast side=http-slow20ms
fi
exit $failed
