package plan

import (
	"fmt"

	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/chart/executions"
)

// ordinalsTable is what prepareOrdinals leaves for the buckets of a group.
const ordinalsTable = "ordinals"

// ordinalColumns are the columns of an event that say which execution and which occurrence it begins: times do not matter.
var ordinalColumns = []string{"seq", "component", "lifeline", "function", "kind", "direction", "peer", "execution_type"}

// windowEvents is how many events of the whole trace a window has at most: 16 MiB of their numbers.
const windowEvents = 1 << 20

// prepareOrdinals goes once through the events of components that are spread over buckets, in the order of the trace, and numbers
// their executions and occurrences: the one thing that the lifelines of a component cannot do apart.
func prepareOrdinals(t *pipeline.Task) error {
	c := executions.NewCounter(new(schema.Names))
	group := t.Group()
	rows, outs := make([]executions.Ordinals, group[len(group)-1]+1), make([]*pipeline.Output, group[len(group)-1]+1) // by bucket
	for _, bucket := range group {
		var err error
		if outs[bucket], err = t.CreateFor(bucket, ordinalsTable, &rows[bucket]); err != nil {
			return err
		}
	}
	err := t.ScanWindows(c.Names(), windowEvents, func(lo, hi int64, parts []pipeline.Part) error {
		c.Start(lo, hi)
		for _, p := range parts {
			c.Add(p.Rows, p.From, p.To)
		}
		c.Count()
		for _, p := range parts {
			c.Append(p.Rows, p.From, p.To, &rows[p.Bucket])
			if err := outs[p.Bucket].WriteFull(&rows[p.Bucket]); err != nil {
				return err
			}
		}
		return nil
	}, ordinalColumns...)
	if err != nil {
		return err
	}
	for _, bucket := range group {
		if err := outs[bucket].Close(&rows[bucket]); err != nil {
			return err
		}
	}
	return nil
}

// ordinals are those of the bucket of a task, read as its events go by.
type ordinals struct {
	reader *pipeline.PreparedTable
	group  executions.Ordinals // a row group
	ahead  executions.Ordinals // read and not taken yet
}

// openOrdinals opens the ordinals of a task, or returns nil where its bucket has its components whole. The caller closes them.
func openOrdinals(t *pipeline.Task) (*ordinals, error) {
	if !t.IsPart() {
		return nil, nil
	}
	o := new(ordinals)
	var err error
	o.reader, err = t.Prepared(ordinalsTable, &o.group)
	return o, err
}

// close closes them. There may be none.
func (o *ordinals) close() {
	if o != nil {
		o.reader.Close()
	}
}

// reach reads as many ordinals as some events have enters, and returns those that are not taken; nil where there are none.
func (o *ordinals) reach(ev *schema.Events) (ahead *executions.Ordinals, enters int, err error) {
	if o == nil {
		return nil, 0, nil
	}
	for _, kind := range ev.Kind {
		if kind == schema.Enter {
			enters++
		}
	}
	for o.ahead.Left() < enters {
		more, err := o.reader.Next()
		if err != nil {
			return nil, 0, err
		}
		if !more {
			return nil, 0, fmt.Errorf("the ordinals of %d enters are missing", enters-o.ahead.Left())
		}
		o.ahead.Refill(&o.group)
	}
	return &o.ahead, enters, nil
}
