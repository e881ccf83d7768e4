package otf1

import (
	"fmt"
	"maps"
	"math/big"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
)

// This is the obvious reader of traces in the short spelling without faults: lines are split by library functions,
// all events of all streams are sorted, and queues are slices.

// plainRow is a record of a stream.
type plainRow struct {
	tick            uint64
	process, group  int // group: records between two time or process lines have the same
	kind            byte
	function        uint64
	peer, tag, comm uint64
}

func plainRows(text string) (rows []plainRow) {
	tick, process, group := uint64(0), 0, 0
	for i, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		r := plainRow{tick: tick, process: process, group: group, kind: line[0]}
		switch line[0] {
		case '*':
			if p := int(hexOf(line[1:])); p != process {
				process, group = p, i
			}
		case 'E', 'L':
			if len(line) > 1 {
				r.function = hexOf(line[1:])
			}
			rows = append(rows, r)
		case 'S', 'R':
			f := strings.FieldsFunc(line[1:], func(c rune) bool { return strings.ContainsRune("LTC", c) })
			r.peer, r.tag, r.comm = hexOf(f[0]), hexOf(f[2]), hexOf(f[3])
			rows = append(rows, r)
		default:
			tick, group = hexOf(line), i
		}
	}
	return rows
}

func hexOf(s string) uint64 {
	n, err := strconv.ParseUint(s, 16, 64)
	if err != nil {
		panic(err)
	}
	return n
}

// plain reads the trace that corpus and random make.
func plain(files map[string]string) (out []event) {
	var all []plainRow
	stream, origin := 0, uint64(1<<63)
	ids := slices.Sorted(maps.Keys(files))
	slices.SortStableFunc(ids, func(a, b string) int { return len(a) - len(b) })
	for _, name := range ids {
		if !strings.HasSuffix(name, ".events") {
			continue
		}
		rows := plainRows(files[name])
		for i := range rows {
			rows[i].group += stream << 32
		}
		all = append(all, rows...)
		origin = min(origin, hexOf(files[name][:strings.IndexByte(files[name], '\n')]))
		stream++
	}
	slices.SortStableFunc(all, func(a, b plainRow) int { return int(int64(a.tick) - int64(b.tick)) })
	resolution := int64(hexOf(strings.TrimPrefix(strings.SplitN(files["t.0.def"], "\n", 2)[0], "DTR")))
	p := plainState{stacks: make(map[int][]uint64), queues: make(map[string][]int64)}
	for i, r := range all {
		ns := new(big.Int).Mul(new(big.Int).SetUint64(r.tick-origin), big.NewInt(1e9))
		p.row(all, i, ns.Div(ns, big.NewInt(resolution)).Int64())
	}
	return p.out
}

type plainState struct {
	out     []event
	stacks  map[int][]uint64
	queues  map[string][]int64 // positive: sent, negative: received
	numbers int64
	held    []event // messages that go with the leave that follows
}

func (p *plainState) row(all []plainRow, i int, ns int64) {
	r := all[i]
	stack := p.stacks[r.process]
	e := event{Ns: ns, ID: schema.NoValue}
	switch r.kind {
	case 'E':
		p.stacks[r.process] = append(stack, r.function)
		e.Key = plainKey(r.process, r.function, schema.Enter)
		p.out = append(p.out, e)
	case 'L':
		e.Key = plainKey(r.process, stack[len(stack)-1], schema.Exit)
		p.stacks[r.process] = stack[:len(stack)-1]
		for j := range p.held {
			p.held[j].Key = e.Key
			if j > 0 {
				p.held[j].Key.Kind = schema.Message
			}
		}
		if len(p.held) == 0 {
			p.held = append(p.held, e)
		}
		p.out, p.held = append(p.out, p.held...), nil
	default:
		e.Mark, e.ID = p.message(r)
		before, after := around(all, i)
		switch {
		case before == 'E' && p.out[len(p.out)-1].ID == schema.NoValue:
			p.out[len(p.out)-1].Mark, p.out[len(p.out)-1].ID = e.Mark, e.ID
		case before != 'E' && after == 'L':
			p.held = append(p.held, e)
		case len(stack) > 0:
			e.Key = plainKey(r.process, stack[len(stack)-1], schema.Message)
			p.out = append(p.out, e)
		default:
			e.Key = schema.EventKey{Component: fmt.Sprintf("process %d", r.process), Lifeline: fmt.Sprintf("process %d", r.process), Function: schema.DirectionWords[e.Mark.Direction]}
			exit := event{Ns: ns, ID: schema.NoValue, Key: e.Key}
			exit.Key.Kind = schema.Exit
			p.out = append(p.out, e, exit)
		}
	}
}

// around is the record before and the record after that are no messages, in the group of a record.
func around(all []plainRow, i int) (before, after byte) {
	message := func(r plainRow) bool { return r.kind == 'S' || r.kind == 'R' }
	for j := i; j >= 0 && all[j].group == all[i].group && before == 0; j-- {
		if !message(all[j]) {
			before = all[j].kind
		}
	}
	for j := i; j < len(all) && all[j].group == all[i].group && after == 0; j++ {
		if !message(all[j]) {
			after = all[j].kind
		}
	}
	return before, after
}

func (p *plainState) message(r plainRow) (schema.MessageMark, int64) {
	from, to, sign, direction := uint64(r.process), r.peer, int64(1), schema.Send
	if r.kind == 'R' {
		from, to, sign, direction = to, from, -1, schema.Receive
	}
	channel := fmt.Sprint(from, to, r.tag, r.comm)
	mark := schema.MessageMark{Direction: direction, Series: "m", Label: fmt.Sprintf("world/%d", r.tag)}
	if q := p.queues[channel]; len(q) > 0 && q[0]*sign < 0 {
		p.queues[channel] = q[1:]
		return mark, -sign * q[0]
	}
	p.numbers++
	p.queues[channel] = append(p.queues[channel], sign*p.numbers)
	return mark, p.numbers
}

func plainKey(process int, function uint64, kind schema.Kind) schema.EventKey {
	return schema.EventKey{
		Component: fmt.Sprintf("unit_%d", (function-1)/4), Lifeline: fmt.Sprintf("process %d", process),
		Function: fmt.Sprintf("function_%d", function-1), Kind: kind,
	}
}

// random is a trace with the definitions of corpus, whose records come in any order: many at one time, of several
// processes in a stream, messages anywhere.
func random(rng *rand.Rand) map[string]string {
	streams, each := 1+rng.IntN(4), 1+rng.IntN(3)
	files := corpus(0, streams*each)
	maps.DeleteFunc(files, func(name, _ string) bool { return strings.HasSuffix(name, ".events") })
	var master strings.Builder
	for id := 1; id <= streams; id++ {
		var out strings.Builder
		tick, depth := uint64(1000+rng.IntN(50)), make([]int, each)
		process := 0
		fmt.Fprintf(&out, "%x\n*%x\n", tick, (id-1)*each+1)
		for range rng.IntN(200) {
			if rng.IntN(2) == 0 {
				tick += uint64(rng.IntN(3))
				process = rng.IntN(each)
				fmt.Fprintf(&out, "%x\n*%x\n", tick, (id-1)*each+process+1)
			}
			switch c := rng.IntN(4); {
			case c == 0:
				fmt.Fprintf(&out, "E%x\n", 1+rng.IntN(20))
				depth[process]++
			case c == 1 && depth[process] > 0:
				out.WriteString("L\n")
				depth[process]--
			default:
				fmt.Fprintf(&out, "%cx%xL%xT%xC1\n", "SR"[c&1], 1+rng.IntN(streams*each), rng.IntN(100), rng.IntN(2))
			}
		}
		files[fmt.Sprintf("t.%x.events", id)] = strings.ReplaceAll(out.String(), "x", "")
		fmt.Fprintf(&master, "%x:%x\n", id, (id-1)*each+1)
	}
	files["t.otf"] = master.String()
	return files
}

// TestPlain compares the reader with the obvious one.
func TestPlain(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for i := range 400 {
		files := random(rng)
		if i%100 == 99 {
			files = corpus(60_000, i/100+1)
		}
		out := read(folder(files), "t.otf")
		if want := plain(files); !slices.Equal(out.Events, want) || out.Err != nil || len(out.Ledger.Losses("")) > 0 {
			t.Fatalf("trace %d: differs at %s; %v %v", i, firstOther(out.Events, want), out.Err, out.Ledger.Losses(""))
		}
	}
}

func firstOther(got, want []event) string {
	for i := range min(len(got), len(want)) {
		if got[i] != want[i] {
			return fmt.Sprintf("%d:\n%v\nwant\n%v", i, got[i], want[i])
		}
	}
	return fmt.Sprintf("the end: %d and %d events", len(got), len(want))
}
