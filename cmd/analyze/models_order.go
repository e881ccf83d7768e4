package main

import (
	"math"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/lake/parquet"
	"github.com/tracelake/tracelake/pipeline/plan"
	"github.com/tracelake/tracelake/schema"
)

// orderedRows is about how many events are put in order at a time.
const orderedRows = 1 << 13

// bucketEvents are the events of one bucket, a row group at a time.
type bucketEvents struct {
	next func() (bool, error) // reads the next row group; false at the end
	rows *schema.Events
	at   int
	done bool // there are no more
}

// more sees that there is an event at hand; false at the end.
func (b *bucketEvents) more() (bool, error) {
	for !b.done && b.at == len(b.rows.Seq) {
		more, err := b.next()
		if err != nil {
			return false, err
		}
		b.at, b.done = 0, !more
	}
	return !b.done, nil
}

// inOrder gives the events of all buckets to f in the order of the trace.
func (r *replayer) inOrder(m *lake.Manifest, f func(*schema.Events)) error {
	var buckets []*bucketEvents
	for _, file := range m.Files {
		rows := &schema.Events{Names: r.names}
		in, err := parquet.Open(r.lake.Path(file), rows, plan.StepColumns...)
		if err != nil {
			return err
		}
		defer in.Close()
		buckets = append(buckets, &bucketEvents{next: in.Next, rows: rows})
	}
	return r.merge(buckets, f)
}

// merge takes from the bucket with the first event what lies before the first event of any other.
func (r *replayer) merge(buckets []*bucketEvents, f func(*schema.Events)) error {
	rows := &schema.Events{Names: r.names}
	flush := func() error {
		f(rows)
		r.meter.Advance(int64(len(rows.Seq)))
		schema.Reset(rows)
		return r.ctx.Err()
	}
	for {
		first, next, err := earliest(buckets)
		if err != nil {
			return err
		}
		if first == nil {
			return flush()
		}
		from := first.at
		for first.at < len(first.rows.Seq) && first.rows.Seq[first.at] < next {
			first.at++
		}
		appendSteps(rows, first.rows, from, first.at)
		if len(rows.Seq) >= orderedRows {
			if err := flush(); err != nil {
				return err
			}
		}
	}
}

// earliest is the bucket whose next event is the first of all, or nil at the end, and the first event of the others.
func earliest(buckets []*bucketEvents) (first *bucketEvents, next int64, err error) {
	next = math.MaxInt64
	for _, b := range buckets {
		more, err := b.more()
		if err != nil {
			return nil, 0, err
		}
		switch {
		case !more:
		case first == nil:
			first = b
		case b.rows.Seq[b.at] < first.rows.Seq[first.at]:
			first, next = b, first.rows.Seq[first.at]
		default:
			next = min(next, b.rows.Seq[b.at])
		}
	}
	return first, next, nil
}

// appendSteps appends what component models see of events.
func appendSteps(to, from *schema.Events, begin, end int) {
	to.Seq = append(to.Seq, from.Seq[begin:end]...)
	to.Component = append(to.Component, from.Component[begin:end]...)
	to.Lifeline = append(to.Lifeline, from.Lifeline[begin:end]...)
	to.Function = append(to.Function, from.Function[begin:end]...)
	to.Kind = append(to.Kind, from.Kind[begin:end]...)
	to.ExecutionType = append(to.ExecutionType, from.ExecutionType[begin:end]...)
}
