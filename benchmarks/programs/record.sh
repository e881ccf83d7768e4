#!/usr/bin/env bash
# Records three programs with changes planted in known functions, for benchmarks/trust:
#
#   benchmarks/programs/record.sh FOLDER quiet|loaded [ROUNDS [PROGRAM...]]
#
# Two programs in C are recorded by ingest record c --plant, one in Go writes spans and slows itself down. Conditions are recorded
# in turn, all of round 01, then all of round 02, and so on; base and base2 are the same. Baselines have the same recorder with
# 0 % planted. quiet: a high priority (nice -n -15), which needs the right to it; loaded: ordinary, with a busy loop on each core.
set -euo pipefail
[ $# -ge 2 ] || { sed -n 2,10p "$0"; exit 2; }
mkdir -p "$1"
out=$(cd "$1" && pwd) load=$2 rounds=${3:-10} chosen=" ${*:4} "
[ "$chosen" != "  " ] || chosen=" interpreter server shop "
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d /tmp/recording.XXXXXX)
loops=()
finish() { [ ${#loops[@]} = 0 ] || kill "${loops[@]}"; rm -rf "$work"; }
trap finish EXIT

# condition: the place of the change, then its size
conditions="base:hot:0 base2:hot:0 hot10:hot:10 hot20:hot:20 hot50:hot:50 mid20:mid:20"
declare -A hot=([interpreter]=sort_list [server]=pack_value [shop]=sign) mid=([interpreter]=intern [server]=checksum [shop]=scan)

# planted PROGRAM PLACE SIZE prints the changes of a condition as FUNCTION=PERCENT, both places with 0 % where nothing is planted.
planted() {
	local h=0 m=0
	if [ "$2" = hot ]; then h=$3; else m=$3; fi
	echo "${hot[$1]}=$h% ${mid[$1]}=$m%"
}

cd "$here/../.."
go build -o "$work/" ./cmd/ingest ./benchmarks/shop
cd "$work"
for program in interpreter server; do
	[[ $chosen == *" $program "* ]] || continue
	gcc -g -O1 -fno-inline -finstrument-functions -no-pie -o $program "$here/$program.c" -lpthread
	mkdir -p "$out/$program/$load"
	{ printf 'addr\tfunction\tunit\tline\n'; nm -l $program | awk -v unit=$program.c '$2 ~ /[tT]/ && $4 ~ unit {
		sub(/.*:/, "", $4); print "0x" $1 "\t" $3 "\t" unit "\t" $4 }'; } >"$out/$program/symbols.tsv"
	for c in $conditions; do
		IFS=: read -r name place size <<<"$c"
		read -r first second <<<"$(planted $program "$place" "$size")"
		./ingest record c --plant "$first" --plant "$second" -o recorder.c
		gcc -O2 -shared -fPIC -o $program-"$name".so recorder.c
	done
done
mkdir -p "$out/shop/$load"

run=(timeout 20)
if [ "$load" = quiet ]; then
	run=(nice -n -15 timeout 20)
else
	for _ in $(seq "$(nproc)"); do
		while :; do :; done &
		loops+=($!)
	done
fi
for round in $(seq -f %02g "$rounds"); do
	for c in $conditions; do
		IFS=: read -r name place size <<<"$c"
		for program in interpreter server; do
			[[ $chosen == *" $program "* ]] || continue
			"${run[@]}" env TRACELAKE_LOG="$name-$round.raw" LD_PRELOAD="./$program-$name.so" "./$program" >answer
			[ -e $program.answer ] || cp answer $program.answer
			cmp answer $program.answer || exit 1 # a change of time changes no answer
			zstd -19 -q -f "$name-$round.raw" -o "$out/$program/$load/$name-$round.raw.zst"
		done
		[[ $chosen == *" shop "* ]] || continue
		read -r first second <<<"$(planted shop "$place" "$size")"
		change=$first
		[ "$place" = hot ] || change=$second
		"${run[@]}" ./shop -plant "$change" >"$name-$round.json"
		zstd -19 -q -f "$name-$round.json" -o "$out/shop/$load/$name-$round.json.zst"
	done
done
