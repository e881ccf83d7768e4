package runs

import (
	"context"
	"fmt"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/services"
)

// requestBytes is the memory that an execution takes while requests are put together and afterwards.
const requestBytes = 200

// Requests reads the requests of parts of runs, which must have executions, in the order of the parts and of their starts, and the names that
// they share. A request has the position of its part, and is in one part only. All of them must fit into memory, in bytes.
func Requests(ctx context.Context, l *lake.Lake, parts []Part, memory int64) (all []services.Request, names *schema.Names, err error) {
	rows := int64(0)
	names = new(schema.Names)
	for i, part := range parts {
		r, err := Open(l, part.Run)
		if err != nil {
			return nil, nil, err
		}
		if rows += r.executions.Rows(); rows > memory/requestBytes {
			return nil, nil, fmt.Errorf("the requests of %d runs take more than %d executions: raise --memory, or compare fewer runs", len(parts), memory/requestBytes)
		}
		requests, err := r.requests(ctx, names, int32(i))
		if err != nil {
			return nil, nil, err
		}
		if requests, err = part.of(requests); err != nil {
			return nil, nil, err
		}
		all = append(all, requests...)
	}
	if run := twice(parts, all); run != "" {
		return nil, nil, nameErrorf("requests of run %s are named twice: windows of a run must not overlap", run)
	}
	return all, names, nil
}

// requests puts the requests of a run together.
func (r *Run) requests(ctx context.Context, names *schema.Names, number int32) ([]services.Request, error) {
	var c services.Collector
	x, m := schema.NewExecutions(names), schema.NewMessages(names)
	err := r.lake.Scan(ctx, r.executions.Files, x, lake.ScanOptions{Columns: services.ExecutionColumns}, func() error {
		c.AddExecutions(x)
		return nil
	})
	if err != nil {
		return nil, err
	}
	err = r.lake.Scan(ctx, r.messages.Files, m, lake.ScanOptions{Columns: services.MessageColumns}, func() error {
		c.AddMessages(m)
		return nil
	})
	if err != nil {
		return nil, err
	}
	if m, err := r.lake.Manifest("annotations", lake.Run(r.Name)); err != nil || m == nil || m.Rows() == 0 {
		return c.Requests(number), err
	}
	notes, err := lake.Read[schema.Annotation](r.lake, "annotations", lake.Run(r.Name))
	if err != nil {
		return nil, err
	}
	for _, n := range notes {
		if n.Name == schema.NoteStatus && n.Value == schema.StatusError && n.Seq != nil {
			c.AddFailure(*n.Seq)
		}
	}
	return c.Requests(number), nil
}
