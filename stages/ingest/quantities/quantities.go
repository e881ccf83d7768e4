// Package quantities makes signals of the values that a trace measures: counters of Chrome traces, metrics of OTF2. A value holds until the next one of its
// signal, and the last one until the trace ends. Values come in any order; they are sorted in scratch files where they are many.
package quantities

import (
	"cmp"
	"math"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/extsort"
)

// Values are the values of all signals of a trace.
type Values struct {
	sorter *extsort.Sorter[value]
	count  int64
	lastNs int64 // the end of the trace, as far as it is known
}

// value is one of a signal, which holds from a time on.
type value struct {
	signal, timeNs, number int64
	value                  float64
}

// New returns no values, which take so many bytes of memory at most.
func New(memory int64, scratch func() (schema.Scratch, error)) *Values {
	return &Values{sorter: extsort.NewSorter(bySignal, memory, scratch), lastNs: math.MinInt64}
}

// bySignal sorts values by signal and time, and those of one time as they came.
func bySignal(a, b *value) int {
	return cmp.Or(cmp.Compare(a.signal, b.signal), cmp.Compare(a.timeNs, b.timeNs), cmp.Compare(a.number, b.number))
}

// Add takes a value of a signal from a time on.
func (v *Values) Add(signal, timeNs int64, of float64) error {
	v.count++
	v.Until(timeNs)
	return v.sorter.Add(value{signal, timeNs, v.count, of})
}

// Until notes that the trace goes on until a time.
func (v *Values) Until(ns int64) { v.lastNs = max(v.lastNs, ns) }

// Close forgets the values. It may be called again.
func (v *Values) Close() error { return v.sorter.Close() }

// Fragments hands out the pieces of the signals by signal and time, and lets go of the values: see schema.Attributed.
func (v *Values) Fragments(take func(*schema.SignalFragments) error) error {
	t := new(schema.SignalFragments)
	var last value
	has := false
	put := func(to int64) error {
		if !has || to <= last.timeNs {
			return nil
		}
		t.Signal, t.FromNs, t.ToNs = append(t.Signal, last.signal), append(t.FromNs, last.timeNs), append(t.ToNs, to)
		t.C, t.B, t.A = append(t.C, last.value), append(t.B, 0), append(t.A, 0)
		if len(t.Signal) < schema.BlockEvents {
			return nil
		}
		err := take(t)
		schema.Reset(t)
		return err
	}
	err := v.sorter.Each(func(next *value) error {
		to := next.timeNs
		if has && next.signal != last.signal {
			to = max(v.lastNs, last.timeNs+1)
		}
		err := put(to)
		last, has = *next, true
		return err
	})
	if err == nil {
		err = put(max(v.lastNs, last.timeNs+1))
	}
	if err == nil {
		err = take(t)
	}
	return cmp.Or(err, v.Close())
}
