package etf

import (
	"cmp"
	"fmt"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/extsort"
)

// signals are what the text says of signals. There may be many fragments, in any order, so they are sorted beside claims.
type signals struct {
	declared  map[int64]signal          // by identifier
	fragments *extsort.Sorter[fragment] // nil before the first
	count     int64                     // fragments so far
}

// signal is what a line S says.
type signal struct {
	name string              // as attributes name it, or signal N
	unit *string             // of its values; nil where none is given
	set  schema.AttributeSet // its attributes
}

// fragment is a line F, without pointers.
// Its value is c + b x + a x^2, with x in units of the text since from.
type fragment struct {
	signal, from, to, line int64   // from and to in ns; line counts fragments
	c, b, a                float64 // of the polynomial
}

// byTime sorts fragments by signal and time.
func byTime(a, b *fragment) int {
	return cmp.Or(cmp.Compare(a.signal, b.signal), cmp.Compare(a.from, b.from), cmp.Compare(a.line, b.line))
}

// reset forgets all fragments.
func (s *signals) reset() (err error) {
	if s.fragments != nil {
		err = s.fragments.Close()
	}
	*s = signals{declared: map[int64]signal{}}
	return err
}

// signal reads S: its identifier.
func (r *reader) signal(s *statement) (string, error) {
	id, ok := readID(s.head[0])
	if !ok || s.count != 1 {
		return "expected the identifier of a signal", nil
	}
	set, _ := r.attributes.of(schema.NoAttributes, s.attributes)
	v := signal{set: set, name: cmp.Or(string(named(s.attributes)), string(described(s.attributes)), fmt.Sprintf("signal %d", id))}
	if unit := string(valued(s.attributes, "unit")); unit != "" {
		v.unit = &unit
	}
	if old, known := r.signals.declared[id]; known && old.set != schema.NoAttributes && !r.attributes.same(old.set, set) {
		r.reading.Ledger.Add(schema.DuplicateDef, r.lines.wrong("a signal of an identifier that another has").Error)
	}
	r.signals.declared[id] = v
	return "", nil
}

// fragment reads F: its signal, its start and end, and c, b and a of the polynomial.
func (r *reader) fragment(s *statement) (string, error) {
	id, ok := readID(s.head[0])
	if !ok || s.count != 6 {
		return "expected a fragment of a signal: the signal, two times and three numbers", nil
	}
	f := fragment{signal: id}
	for i, to := range [...]*int64{&f.from, &f.to} {
		at, wrong, fits := r.time(s.head[1+i])
		if wrong != "" || !fits {
			return wrong, nil
		}
		*to = at
	}
	// Coefficients stay in the unit of the text, see doc.go.
	for i, to := range [...]*float64{&f.c, &f.b, &f.a} {
		if *to, ok = readNumber(s.head[3+i]); !ok {
			return "expected numbers for c, b and a of a fragment", nil
		}
	}
	if f.to <= f.from {
		return "the fragment does not end after it starts", nil
	}
	if _, known := r.signals.declared[id]; !known { // its line may come behind
		r.signals.declared[id] = signal{name: fmt.Sprintf("signal %d", id)}
	}
	if r.signals.fragments == nil {
		r.signals.fragments = extsort.NewSorter(byTime, r.reading.Memory/10, r.reading.Scratch)
	}
	r.signals.count++
	f.line = r.signals.count
	return "", r.signals.fragments.Add(f)
}

// each hands out the fragments, some thousand at a time, and lets go of them.
func (s *signals) each(take func(*schema.SignalFragments) error) error {
	t := new(schema.SignalFragments)
	err := s.fragments.Each(func(f *fragment) error {
		t.Signal, t.FromNs, t.ToNs = append(t.Signal, f.signal), append(t.FromNs, f.from), append(t.ToNs, f.to)
		t.C, t.B, t.A = append(t.C, f.c), append(t.B, f.b), append(t.A, f.a)
		// A block is handed out when it is full, and the rest at the end.
		if len(t.Signal) < schema.BlockEvents {
			return nil
		}
		err := take(t)
		schema.Reset(t)
		return err
	})
	if err == nil {
		err = take(t)
	}
	return cmp.Or(err, s.fragments.Close())
}
