package summaries

import (
	"cmp"
	"slices"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/stats"
	"github.com/tracelake/tracelake/stages/numbering"
)

// Functions summarises the own times of the calls of every function of a partition: what a call takes without the calls that
// it makes. Calls that were invented are left out, and so are blocking calls: their own time is the wait for somebody else,
// which is summarised where it arises. Lifetimes are summarised apart from functions, also from those of the same name, by how long they took.
type Functions struct {
	names    *schema.Names
	estimate *stats.Estimator
	numbers  numbering.Numbers // of the functions, by component, whether they are lifetimes, and function
	keys     []function
	calls    [][]int64 // by number of the function: own times in ns, 8 bytes a call; of lifetimes how long they took
}

// function is a function of a component, or the lifetimes of one name.
type function struct {
	component, function schema.Code
	isLifetime          bool
}

// NewFunctions returns a builder for executions with these names.
func NewFunctions(names *schema.Names, estimate *stats.Estimator) *Functions {
	return &Functions{names: names, estimate: estimate}
}

// Add takes the next executions: component, function, duration_ns, self_ns, role, execution_type and synthetic are read.
func (f *Functions) Add(x *schema.Executions) {
	lifetimes := f.names.LifetimesIn(x.Type)
	for i, ns := range x.SelfNs {
		if x.Synthetic[i] {
			continue
		}
		of := function{x.Component[i], x.Function[i], lifetimes.Has(i)}
		component := of.component << 1 // there are fewer than 2^31 components
		switch {
		case of.isLifetime:
			component, ns = component|1, x.DurationNs[i]
		case x.Role[i] == schema.BlockingCall:
			continue
		}
		n, isNew := f.numbers.Of(numbering.Pack(component, of.function))
		if isNew {
			f.keys, f.calls = append(f.keys, of), append(f.calls, nil)
		}
		f.calls[n] = append(f.calls[n], ns)
	}
}

// Rows ends the executions and returns a row for every function, by component and function, then one for the lifetimes of every name. The
// values are gone then.
func (f *Functions) Rows() (rows []schema.Summary) {
	for _, n := range f.inOrder() {
		key, values := f.keys[n], f.calls[n]
		of := subject{
			Level: schema.LevelFunction, Component: f.names.Components.Name(key.component), Function: f.names.Functions.Name(key.function),
		}
		if key.isLifetime {
			of.Level = schema.LevelLifetime
		}
		rows = append(rows, summarise(of, int64(len(values)), values, f.estimate))
		f.calls[n] = nil
	}
	return rows
}

// inOrder lists the numbers of the functions by their names, those of lifetimes last.
func (f *Functions) inOrder() []int {
	components, functions := &f.names.Components, &f.names.Functions
	return sortedNumbers(f.keys, func(a, b function) int {
		switch {
		case a.isLifetime && !b.isLifetime:
			return 1
		case b.isLifetime && !a.isLifetime:
			return -1
		}
		return cmp.Or(
			cmp.Compare(components.Name(a.component), components.Name(b.component)),
			cmp.Compare(functions.Name(a.function), functions.Name(b.function)),
		)
	})
}

// sortedNumbers lists the numbers of keys, which are their positions, in an order of the keys.
func sortedNumbers[K any](keys []K, compare func(a, b K) int) []int {
	numbers := make([]int, len(keys))
	for i := range numbers {
		numbers[i] = i
	}
	slices.SortFunc(numbers, func(a, b int) int { return compare(keys[a], keys[b]) })
	return numbers
}
