package summaries

import (
	"cmp"
	"slices"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/stats"
)

// Functions summarises the own times of the calls of every function of a partition: what a call takes without the calls that
// it makes. Calls that were invented are left out, and so are blocking calls: their own time is the wait for somebody else,
// which is summarised where it arises.
type Functions struct {
	names    *schema.Names
	calls    map[function][]int64 // own times in ns, 8 bytes a call
	estimate stats.Estimator
}

// function is a function of a component.
type function struct{ component, function schema.Code }

// NewFunctions returns a builder for executions with these names.
func NewFunctions(names *schema.Names) *Functions {
	return &Functions{names: names, calls: make(map[function][]int64)}
}

// Add takes the next executions: component, function, self_ns, role and synthetic are read.
func (f *Functions) Add(x *schema.Executions) {
	for i, self := range x.SelfNs {
		if x.Synthetic[i] || x.Role[i] == schema.BlockingCall {
			continue
		}
		key := function{x.Component[i], x.Function[i]}
		f.calls[key] = append(f.calls[key], self)
	}
}

// Rows ends the executions and returns a row for every function, by component and function. The values are gone then.
func (f *Functions) Rows() (rows []schema.Summary) {
	for _, key := range f.inOrder() {
		values := f.calls[key]
		of := subject{
			Level: schema.LevelFunction, Component: f.names.Components.Name(key.component), Function: f.names.Functions.Name(key.function),
		}
		rows = append(rows, summarise(of, int64(len(values)), values, &f.estimate))
		delete(f.calls, key)
	}
	return rows
}

// inOrder lists the functions by their names.
func (f *Functions) inOrder() []function {
	keys := make([]function, 0, len(f.calls))
	for key := range f.calls {
		keys = append(keys, key)
	}
	components, functions := &f.names.Components, &f.names.Functions
	slices.SortFunc(keys, func(a, b function) int {
		return cmp.Or(
			cmp.Compare(components.Name(a.component), components.Name(b.component)),
			cmp.Compare(functions.Name(a.function), functions.Name(b.function)),
		)
	})
	return keys
}
