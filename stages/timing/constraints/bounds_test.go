package constraints_test

import (
	"fmt"
	"math"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/timing/constraints"
	"github.com/tracelake/tracelake/testdata/expect"
)

// paperBounds are equations (1) and (2) of Jonk et al. 2019 as assignments, one constraint after the other in the given
// order: d := min(d, max(d', epsilon)), d' the least of the others. Bounds are not negative (Definition 1).
func paperBounds(in []incoming, epsilon func(i int) int64, order []int) []int64 {
	d := make([]int64, len(in))
	for i := range in {
		d[i] = in[i].durationNs()
	}
	for _, i := range order {
		other := int64(math.MaxInt64)
		for j := range d {
			if j != i {
				other = min(other, d[j])
			}
		}
		d[i] = min(d[i], max(other, epsilon(i)))
	}
	for i := range d {
		d[i] = max(d[i], 0)
	}
	return d
}

// epsilonsOf are the epsilons of constraints into an event: of a message that of its label, of the lifeline the largest of
// them.
func epsilonsOf(in []incoming, opt constraints.Options) func(i int) int64 {
	of := func(label string) int64 {
		for _, l := range opt.Epsilons {
			if l.Message == label {
				return l.EpsilonNs
			}
		}
		return opt.EpsilonNs
	}
	return func(i int) int64 {
		if in[i].message {
			return of(in[i].label)
		}
		most := int64(0)
		for j := range in {
			if in[j].message {
				most = max(most, of(in[j].label))
			}
		}
		return most
	}
}

// The bounds are those of the equations, in whatever order these are carried out, and critical is who the text says:
// the constraint with the later source, and everyone within epsilon.
func TestPaperBounds(t *testing.T) {
	pairs := 0
	for seed := range int64(400) {
		rng := rand.New(rand.NewSource(seed))
		r := random(rng, 1+rng.Intn(60))
		opt := constraints.Options{Bounds: constraints.Paper, EpsilonNs: rng.Int63n(12) * rng.Int63n(2)}
		if rng.Intn(2) == 0 {
			opt.Epsilons = []constraints.Label{{Message: "x", EpsilonNs: rng.Int63n(30)}, {Message: "unheard", EpsilonNs: 9}}
		}
		out, rows := r.derived(opt, nil, 7, new(schema.Ledger))
		for event, in := range r.incomings() {
			got := boundsOf(out, rows[event])
			epsilon, order := epsilonsOf(in, opt), rng.Perm(len(in))
			want := paperBounds(in, epsilon, order)
			slices.Reverse(order)
			expect.Slice(expect.Must(t), want, paperBounds(in, epsilon, order), "seed %d: in another order", seed)
			if !sameBag(in, got, want) {
				t.Fatalf("seed %d, event %d: got %d, want %d", seed, event, got, want)
			}
			if len(in) == 2 {
				pairs++
				checkCritical(t, out, rows[event], epsilon)
			}
		}
	}
	if pairs < 1000 {
		t.Errorf("only %d events with two constraints", pairs)
	}
}

// checkCritical checks the sentence under the equations: critical is what is no longer than the other, or than epsilon,
// also where it was received before it was sent.
func checkCritical(t *testing.T, c *schema.Constraints, rows []int, epsilon func(i int) int64) {
	t.Helper()
	for k, i := range rows {
		d, other := c.DurationNs[i], c.DurationNs[rows[1-k]]
		if want := d <= other || d <= epsilon(k); c.Critical[i] != want && other >= 0 {
			t.Errorf("event %d: a constraint of %d beside one of %d, epsilon %d: critical %t", c.Target[i], d, other, epsilon(k), c.Critical[i])
		}
	}
}

// boundsOf are the bounds of some rows.
func boundsOf(c *schema.Constraints, rows []int) (bounds []int64) {
	for _, i := range rows {
		bound := schema.NoValue
		if c.SlackNs[i] != schema.NoValue {
			bound = c.DurationNs[i] - c.SlackNs[i]
		}
		bounds = append(bounds, bound)
	}
	return bounds
}

// sameBag compares the bounds of the lifeline, then those of the messages, which may come in another order.
func sameBag(in []incoming, got, want []int64) bool {
	got, want = slices.Clone(got), slices.Clone(want)
	if len(got) != len(want) {
		return false
	}
	first := 0
	if len(in) > 0 && !in[0].message {
		first = 1
	}
	slices.Sort(got[first:])
	slices.Sort(want[first:])
	return slices.Equal(got, want)
}

// ppsBounds is the time-bound analysis of PPS, step by step.
func (r *tables) ppsBounds(event int, in []incoming, root bool, defaultNs int64) []int64 {
	bounds := make([]int64, len(in))
	segment := len(in) > 0 && !in[0].message
	critical, analysed := false, false
	for i := range in { // step 1
		bounds[i] = schema.NoValue
		if !in[i].message || r.skipped(in[i].row) {
			continue
		}
		analysed = true
		if d := in[i].durationNs(); !r.untraced(event, in[i]) {
			bounds[i] = d
			if segment && in[i].sourceNs < in[0].sourceNs {
				critical = true
				bounds[i] = min(d, r.usual(in[i].row, d, defaultNs))
			}
		}
	}
	if segment { // step 2
		bounds[0] = in[0].durationNs()
		if !critical && (analysed || root) {
			if critical = bounds[0] <= defaultNs; !critical {
				bounds[0] = defaultNs
			}
		}
	}
	for i := range in { // steps 3 and 4
		if in[i].message && !r.skipped(in[i].row) && r.untraced(event, in[i]) && !critical {
			bounds[i] = in[i].durationNs()
		}
		if bounds[i] != schema.NoValue {
			bounds[i] = max(bounds[i], 0)
		}
	}
	return bounds
}

// untraced reports whether an end of a message is invented.
func (r *tables) untraced(event int, in incoming) bool {
	sender := r.events.Names.Components.Name(r.messages.Sender[in.row])
	return r.events.Synthetic[event] || strings.HasPrefix(sender, "untraced(")
}

// classOf is the type of a message, of a control that of the message it controls too. One without a note is a message.
func (r *tables) classOf(row int) string {
	class, controls := "message", ""
	for _, a := range r.notes {
		switch {
		case a.Number == nil || *a.Number != r.messages.MessageID[row]:
		case a.Name == schema.NoteType:
			class = a.Value
		case a.Name == schema.NoteControls:
			controls = a.Value
		}
	}
	if class != "message-control" {
		return class
	}
	of := "message"
	for _, a := range r.notes {
		if a.Name == schema.NoteType && fmt.Sprint("m", *a.Number) == controls {
			of = a.Value
		}
	}
	return class + " of " + of
}

// skipped reports whether PPS leaves a message alone: an order of the domain, or one that others control.
func (r *tables) skipped(row int) bool {
	if r.classOf(row) == "domain-dependency" {
		return true
	}
	id := r.messages.MessageID[row]
	return slices.ContainsFunc(r.notes, func(a schema.Annotation) bool {
		return a.Name == schema.NoteControls && a.Value == fmt.Sprint("m", id)
	})
}

// usual is the shortest duration among messages of the same type between the same lifelines, if that is below d, else the
// default.
func (r *tables) usual(row int, d, defaultNs int64) int64 {
	m, least := r.messages, d
	for i := range m.Label {
		if m.SenderLifeline[i] == m.SenderLifeline[row] && m.ReceiverLifeline[i] == m.ReceiverLifeline[row] &&
			m.SendSeq[i] != m.ReceiveSeq[i] && r.classOf(i) == r.classOf(row) {
			least = min(least, m.ReceiveNs[i]-m.SendNs[i])
		}
	}
	if least < d {
		return least
	}
	return defaultNs
}

func TestPPSBounds(t *testing.T) {
	late := 0
	for seed := range int64(400) {
		rng := rand.New(rand.NewSource(seed))
		r := random(rng, 1+rng.Intn(60))
		opt := constraints.Options{Bounds: constraints.PPS, DefaultNs: rng.Int63n(30)}
		out, rows := r.derived(opt, r.notes, 7, new(schema.Ledger))
		roots := r.roots()
		for event, in := range r.incomings() {
			got, want := boundsOf(out, rows[event]), r.ppsBounds(event, in, roots[event], opt.DefaultNs)
			if !sameBag(in, got, want) {
				t.Fatalf("seed %d, event %d: got %d, want %d", seed, event, got, want)
			}
			if slices.Contains(want, schema.NoValue) {
				late++
			}
		}
	}
	if late < 100 {
		t.Errorf("only %d events with unknown bounds", late)
	}
}

// roots says which events start a root execution, where exits close the innermost call of their function, and calls
// that were skipped do not count.
func (r *tables) roots() []bool {
	type call struct {
		function schema.Code
		skipped  bool
	}
	out, stacks := make([]bool, len(r.events.Seq)), make(map[schema.Code][]call)
	for i, line := range r.events.Lifeline {
		s, f := stacks[line], r.events.Function[i]
		if r.events.Kind[i] == schema.Enter {
			out[i] = !slices.ContainsFunc(s, func(c call) bool { return !c.skipped })
			if out[i] {
				s = nil // a new word
			}
			stacks[line] = append(s, call{f, false})
			continue
		}
		for k := len(s) - 1; k >= 0; k-- {
			if s[k].function == f {
				s = slices.Delete(s, k, k+1)
				for ; k < len(s); k++ {
					s[k].skipped = true
				}
				stacks[line] = s
				break
			}
		}
	}
	return out
}

// Declared bounds are those of the notes, but for what a bound can be; all others are unknown. They are taken where the
// trace has any and nothing else is asked for.
func TestDeclaredBounds(t *testing.T) {
	for seed := range int64(200) {
		rng := rand.New(rand.NewSource(seed))
		r := random(rng, 1+rng.Intn(60))
		segments := make(map[int64]int64)
		for _, seq := range r.events.Seq {
			if rng.Intn(4) == 0 {
				segments[seq] = rng.Int63n(20)
				r.notes = append(r.notes, schema.Annotation{Seq: &seq, About: schema.AboutSegment, Name: schema.NoteBound, Value: fmt.Sprint(segments[seq])})
			}
		}
		if len(segments) == 0 {
			continue
		}
		out, rows := r.derived(constraints.Options{Bounds: constraints.Auto}, r.notes, 7, new(schema.Ledger))
		for event, in := range r.incomings() {
			want := make([]int64, len(in))
			for i := range in {
				ns, known := segments[r.events.Seq[event]]
				if in[i].message {
					ns, known = r.declared(in[i].row)
				}
				if want[i] = schema.NoValue; known {
					want[i] = max(min(ns, in[i].durationNs()), 0)
				}
			}
			if got := boundsOf(out, rows[event]); !sameBag(in, got, want) {
				t.Fatalf("seed %d, event %d: got %d, want %d", seed, event, got, want)
			}
		}
	}
}

func (r *tables) declared(row int) (ns int64, known bool) {
	for _, a := range r.notes {
		if a.Name == schema.NoteBound && a.About == schema.AboutMessage && *a.Number == r.messages.MessageID[row] {
			_, err := fmt.Sscan(a.Value, &ns)
			return ns, err == nil
		}
	}
	return 0, false
}
