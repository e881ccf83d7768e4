package live

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/process"
	"github.com/tracelake/tracelake/schema"
)

// mostStored is how many events a run has at most of which a view is made: it takes about as many microseconds of a core, and six bytes of disk each.
const mostStored = 30_000_000

// LookStored makes a view of a run that the lake has, and looks at it. The view lies in a folder for temporary files and is gone when the look is
// closed.
func LookStored(ctx context.Context, l *lake.Lake, run string) (*Look, error) {
	m, err := l.Table("events", lake.Run(run))
	if err != nil {
		return nil, err
	}
	if rows := m.Rows(); rows > mostStored {
		return nil, fmt.Errorf("run %s has %d events, and at most %d are shown at once: its timeline shows all", run, rows, mostStored)
	}
	dir, err := process.Folder("view")
	if err != nil {
		return nil, err
	}
	defer process.RemoveFolder(dir) // what is open stays
	v, err := NewView(dir)
	if err != nil {
		return nil, err
	}
	s := storedChart{view: v, keys: make(map[[3]schema.Code]rowKey), chart: chart{view: v}}
	e := schema.NewEvents()
	err = l.ScanEvents(ctx, run, e, lake.ScanOptions{Columns: []string{"time_ns", "component", "lifeline", "function", "kind", "id_series", "message_id", "direction"}}, func() error {
		s.add(e)
		return v.Flush(time.Now())
	})
	if err = errors.Join(err, v.Close()); err != nil {
		return nil, err
	}
	k, err := LookAt(dir)
	if err == nil {
		k.stored = true
	}
	return k, err
}

// storedChart makes rows of the events of a run.
type storedChart struct {
	view  *View
	keys  map[[3]schema.Code]rowKey
	chart chart
}

// add adds the events of a chunk.
func (s *storedChart) add(e *schema.Events) {
	for i, timeNs := range e.TimeNs {
		of := [3]schema.Code{e.Component[i], e.Lifeline[i], e.Function[i]}
		k, known := s.keys[of]
		if !known {
			k = s.chart.rowKey(schema.EventKey{Component: e.Names.Components.Name(of[0]), Lifeline: e.Names.Lifelines.Name(of[1]), Function: e.Names.Functions.Name(of[2])})
			s.keys[of] = k
		}
		k.kind = e.Kind[i]
		m := sent{id: e.MessageID[i]}
		if e.Direction[i] != schema.NoMessage {
			m.series = e.Names.Series.Name(e.Series[i])
		}
		s.chart.event(&k, timeNs, e.Direction[i], m)
	}
}

// Stored reports whether what is looked at is a run of the lake, which nobody records.
func (k *Look) Stored() bool { return k.stored }
