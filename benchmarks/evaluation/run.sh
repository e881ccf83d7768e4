#!/usr/bin/env bash
# How far verdicts can be trusted on recordings: ingests and analyzes them, and evaluates.
# usage: benchmarks/evaluation/run.sh RECORDINGS [RESULTS]
#
# RECORDINGS has a folder SET/VERSION/SCENARIO/ for every cell, with a trace run-*.txt.zst for each of its repetitions.
# RESULTS is the folder of this script unless another is given. The lake needs about 1 MB a trace, under TMPDIR.
# Environment: CELLS a pattern of cells such as 'curl-quiet/*/http*', TRACE the run for "same trace", SPLITS and SEEDS.
set -euo pipefail
home=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
recordings=$(cd "${1:?usage: $0 RECORDINGS [RESULTS]}" && pwd)
results=$(realpath -m "${2:-$home}")

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$home/../.."
go build -o "$dir/bin/" ./cmd/ingest ./cmd/analyze
cd "$dir"

cells=${CELLS:-*/*/http*}
for cell in "$recordings"/$cells; do
	name=${cell#"$recordings"/}
	name=${name//\//-}
	[ "$(ls "$cell"/run-*.txt.zst 2>/dev/null | wc -l)" -ge 6 ] || continue
	bin/ingest --quiet --lake lake --label cell="$name" --prefix "$name-" "$cell"/run-*.txt.zst
done
bin/analyze --quiet --lake lake run
bin/analyze --lake lake evaluate --cell-by cell --splits "${SPLITS:-20}" --seeds "${SEEDS:-12}" ${TRACE:+--trace "$TRACE"} --out "$results"
