package criticalpaths_test

import (
	"fmt"
	"math/rand"
	"slices"
	"testing"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/chart/executions"
	"github.com/tracelake/tracelake/stages/timing/constraints"
	"github.com/tracelake/tracelake/testdata/expect"
)

// run is a generated run: events of some components, and the messages between them.
type run struct {
	events []event
	sent   []message
	damage *rand.Rand // where set, some constraints are damaged
}

type event struct {
	timeNs              int64
	component, function int
	kind                schema.Kind
}

type message struct{ from, to, label int } // positions in events

const components = 5

// generate makes a run of about n events: components call, nest, and start or finish when a message arrives.
func generate(rng *rand.Rand, n int) *run {
	r, ns := new(run), int64(1000)
	var stacks [components][]int
	var letters [components][]message
	add := func(c, function int, kind schema.Kind) {
		ns += rng.Int63n(5) * rng.Int63n(4)
		r.events = append(r.events, event{ns, c, function, kind})
		at := len(r.events) - 1
		if len(letters[c]) > 0 && rng.Intn(2) == 0 {
			letters[c][0].to = at
			r.sent, letters[c] = append(r.sent, letters[c][0]), letters[c][1:]
		}
		if other := rng.Intn(components); other != c && rng.Intn(2) == 0 {
			letters[other] = append(letters[other], message{from: at, label: rng.Intn(3)})
		}
	}
	for range n {
		c := rng.Intn(components)
		if depth := len(stacks[c]); depth > 0 && rng.Intn(4) < depth+1 {
			add(c, stacks[c][depth-1], schema.Exit)
			stacks[c] = stacks[c][:depth-1]
			continue
		}
		stacks[c] = append(stacks[c], rng.Intn(3))
		add(c, stacks[c][len(stacks[c])-1], schema.Enter)
	}
	for c, stack := range stacks {
		for _, function := range slices.Backward(stack) {
			add(c, function, schema.Exit)
		}
	}
	return r
}

// tables are the events of the components of a bucket, and all messages, with names of their own.
func (r *run) tables(bucket, buckets int) (*schema.Events, *schema.Messages) {
	ev := schema.NewEvents()
	for c := range components { // every bucket numbers names in another order
		ev.Names.Components.Code(name("C", (c+bucket)%components))
	}
	for i, e := range r.events {
		if e.component%buckets != bucket {
			continue
		}
		schema.Extend(ev, 1)
		at, code := len(ev.Seq)-1, ev.Names.Components.Code(name("C", e.component))
		ev.Seq[at], ev.TimeNs[at], ev.Kind[at], ev.Component[at] = int64(i), e.timeNs, e.kind, code
		ev.Lifeline[at], ev.Function[at] = ev.Names.Lifelines.Code(name("C", e.component)), ev.Names.Functions.Code(name("f", e.function))
		ev.Peer[at], ev.ExecutionType[at], ev.Message[at], ev.Series[at] = schema.NoCode, schema.NoCode, schema.NoCode, schema.NoCode
	}
	m := schema.NewMessages(ev.Names)
	for _, x := range r.sent {
		schema.Extend(m, 1)
		at, from, to := len(m.Label)-1, r.events[x.from], r.events[x.to]
		m.SendSeq[at], m.ReceiveSeq[at], m.SendNs[at], m.ReceiveNs[at] = int64(x.from), int64(x.to), from.timeNs, to.timeNs
		m.Sender[at], m.Receiver[at] = ev.Names.Components.Code(name("C", from.component)), ev.Names.Components.Code(name("C", to.component))
		m.Label[at] = ev.Names.Messages.Code(name("m", x.label))
	}
	return ev, m
}

func name(letter string, i int) string { return fmt.Sprint(letter, i) }

// store derives executions and constraints of a run and puts them in a lake, in buckets and in row groups of groupRows
// rows.
func (r *run) store(t *testing.T, buckets, groupRows int) *lake.Lake {
	t.Helper()
	l := expect.Value(lake.Open(t.TempDir(), true))(t)
	fingerprint := lake.Fingerprint("hand", 1, nil, nil)
	s := expect.Value(l.Stage("hand", lake.Run("r"), fingerprint))(t)
	files := make(map[string][]lake.File)
	known := int64(0) // components
	for bucket := range buckets {
		ev, m := r.tables(bucket, buckets)
		ex, c, led := schema.NewExecutions(ev.Names), schema.NewConstraints(ev.Names), new(schema.Ledger)
		executions.NewBuilder(ev.Names).Add(ev, ex, led)
		b := constraints.NewBuilder(ev.Names, constraints.Options{Bounds: constraints.Paper, EpsilonNs: 4}, nil)
		b.AddComponents(ev.Component)
		b.AddMessages(m)
		b.Start()
		b.Add(ev, c, led)
		r.spoil(c)
		for table, rows := range map[string]schema.Columns{"executions": ex, "constraints": c} {
			files[table] = append(files[table], write(t, s, table, bucket, groupRows, rows))
		}
		var fragments []schema.Fragment
		for _, c := range slices.Compact(slices.Sorted(slices.Values(ev.Component))) {
			fragments = append(fragments, schema.Fragment{Component: ev.Names.Components.Name(c)})
		}
		files["fragments"] = append(files["fragments"], expect.Value(lake.Write(s, "fragments", bucket, fragments))(t))
		known += int64(len(fragments))
	}
	// One run in two has a component that its fragments do not name, so that executions are looked for in all files.
	described := schema.Run{Components: known + int64(len(r.events)%2)}
	files["runs"] = []lake.File{expect.Value(lake.Write(s, "runs", lake.NoBucket, []schema.Run{described}))(t)}
	var manifests []*lake.Manifest
	for _, table := range []string{"executions", "constraints", "fragments", "runs"} {
		manifests = append(manifests, &lake.Manifest{Table: table, Fingerprint: fingerprint, Files: files[table]})
	}
	expect.OK(t, s.Commit(manifests...))
	return l
}

// spoil makes some constraints lead to themselves, upwards or from events that are not there, and last longer or less than
// the time between their events.
func (r *run) spoil(c *schema.Constraints) {
	for i := 0; r.damage != nil && i < len(c.Source); i++ {
		switch r.damage.Intn(12) {
		case 0:
			c.Source[i] = c.Target[i] + r.damage.Int63n(9)
		case 1:
			c.Source[i] -= r.damage.Int63n(1000)
		case 2:
			c.DurationNs[i] += r.damage.Int63n(50) - 25
		}
	}
}

func write(t *testing.T, s *lake.Staging, table string, bucket, groupRows int, rows schema.Columns) lake.File {
	t.Helper()
	w := expect.Value(s.CreateTable(table, bucket, 0, rows))(t)
	w.SetGroupRows(groupRows)
	part := view{rows.Columns()}
	all := slices.Clone(part.columns)
	for i, c := range all {
		part.columns[i] = hollow(c)
	}
	for row := range all[0].Len() {
		for i, c := range part.columns {
			push(c, all[i], row)
		}
		expect.OK(t, w.WriteFull(part))
	}
	expect.OK(t, w.Finish(part))
	return w.File
}

// view is a table of other columns.
type view struct{ columns []schema.Column }

func (v view) Columns() []schema.Column { return v.columns }

// hollow is a column like another without rows.
func hollow(c schema.Column) schema.Column {
	switch {
	case c.Ints != nil:
		c.Ints = new([]int64)
	case c.Codes != nil:
		c.Codes = new([]schema.Code)
	case c.Enum != nil:
		c.Enum = new([]uint8)
	default:
		c.Bools = new([]bool)
	}
	return c
}

func push(to, from schema.Column, row int) {
	switch {
	case to.Ints != nil:
		*to.Ints = append(*to.Ints, (*from.Ints)[row])
	case to.Codes != nil:
		*to.Codes = append(*to.Codes, (*from.Codes)[row])
	case to.Enum != nil:
		*to.Enum = append(*to.Enum, (*from.Enum)[row])
	default:
		*to.Bools = append(*to.Bools, (*from.Bools)[row])
	}
}
