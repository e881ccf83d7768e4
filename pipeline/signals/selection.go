package signals

import (
	"context"

	"github.com/tracelake/tracelake/pipeline/runs"
	"github.com/tracelake/tracelake/schema"
)

// selection is what a filter selects: by the trace's own attributes, or else by those that executions and events of every run have.
type selection struct {
	filter runs.Filter
	own    map[string]map[int64]string // by attribute: the values of claims and events, by seq
}

// selection reads the attributes that the filter asks for; nil where there is no filter.
func (j Job) selection(ctx context.Context) (*selection, error) {
	if len(j.Filter) == 0 {
		return nil, nil
	}
	things, err := runs.Things(ctx, j.Lake, j.Run)
	if err != nil {
		return nil, err
	}
	s := &selection{filter: j.Filter, own: make(map[string]map[int64]string)}
	a := things.Attributes
	for _, name := range j.Filter.Names() {
		code, known := a.Texts.Names.Lookup(name)
		values := make(map[int64]string)
		for i, about := range a.About {
			if known && a.Name[i] == code && (about == schema.OfClaim || about == schema.OfEvent) {
				values[a.Ref[i]] = a.Texts.Values.Name(a.Value[i])
			}
		}
		if _, is := builtIn[name]; !is && name != "name" && len(values) == 0 {
			return nil, &NoAttributeError{j.Run, name}
		}
		s.own[name] = values
	}
	return s, nil
}

// selects reports whether a claim or event is selected.
func (s *selection) selects(seq int64, n *schema.Names, component, lifeline, function, executionType schema.Code) bool {
	return s.filter.Selects(func(name string) string {
		if value, has := s.own[name][seq]; has {
			return value
		}
		switch name {
		case "component":
			return n.Components.Name(component)
		case "lifeline":
			return n.Lifelines.Name(lifeline)
		case "function", "name":
			return n.Functions.Name(function)
		case "execution_type":
			return n.Types.Name(executionType)
		}
		return ""
	})
}

// execution reports whether an execution is selected.
func (s *selection) execution(x *schema.Executions, i int) bool {
	return s == nil || s.selects(x.Execution[i], x.Names, x.Component[i], x.Lifeline[i], x.Function[i], x.Type[i])
}

// event reports whether a regular event is selected.
func (s *selection) event(ev *schema.Events, i int) bool {
	return s == nil || s.selects(ev.Seq[i], ev.Names, ev.Component[i], ev.Lifeline[i], ev.Function[i], ev.ExecutionType[i])
}
