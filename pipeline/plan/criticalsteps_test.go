package plan

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/timing/constraints"
	"github.com/tracelake/tracelake/testdata/expect"
)

// TestCriticalSteps holds the steps of critical paths against the compositions, which sum them up, and against the executions, from
// which call paths follow: however many slices the time of the run is cut into, the rows are the same.
func TestCriticalSteps(t *testing.T) {
	o := Options{Constraints: constraints.Defaults(), Steps: true}
	l := expect.Value(lake.Open(t.TempDir(), true))(t)
	ingestText(t, l, "a", servedCalls())
	stages := expect.Value(pipeline.Order(Stages(o), Given...))(t)
	e := &pipeline.Engine{Lake: l, Stages: stages, Jobs: 2}
	expect.Value(e.Run(t.Context(), []lake.Partition{lake.Run("a")}))(t)
	whole := readSteps(t, l)
	whole.meetCompositions(t, l)
	whole.followEachOther(t)
	whole.lieInCalls(t)
	rows := expect.Value(l.Manifest("constraints", lake.Run("a")))(t).Rows()
	s := criticalStepsStage(o)
	for _, parts := range []int64{2, 3, 7, 40} {
		s.SliceRows = (rows + parts - 1) / parts
		expect.OK(t, l.DropTables(t.Context(), lake.Run("a"), s.Writes...))
		expect.Value(e.RunStage(t.Context(), lake.Run("a"), s))(t)
		sliced := readSteps(t, l)
		expect.Equal(t, len(sliced.steps.Root), len(whole.steps.Root), "%d slices: steps", parts)
		expect.Equal(t, firstDifference(sliced.sorted(), whole.sorted()), "", "%d slices", parts)
		expect.Equal(t, sliced.tree(), whole.tree(), "%d slices: call paths", parts)
	}
}

// storedSteps are the steps of a run, with what they are held against.
type storedSteps struct {
	steps      *schema.CriticalSteps
	paths      *schema.CallPaths
	executions *schema.Executions
	messages   *schema.Messages
	byFirst    map[int64]int // rows of executions
}

// readSteps reads the steps of run a.
func readSteps(t *testing.T, l *lake.Lake) *storedSteps {
	names := new(schema.Names)
	s := &storedSteps{schema.NewCriticalSteps(names), schema.NewCallPaths(names), schema.NewExecutions(names), schema.NewMessages(names), make(map[int64]int)}
	readAll(t, l, "critical_steps", s.steps, schema.NewCriticalSteps(names))
	readAll(t, l, "call_paths", s.paths, schema.NewCallPaths(names))
	readAll(t, l, "executions", s.executions, schema.NewExecutions(names))
	readAll(t, l, "messages", s.messages, schema.NewMessages(names))
	for i, first := range s.executions.Execution {
		s.byFirst[first] = i
	}
	return s
}

// readAll reads a table of run a as a whole.
func readAll(t *testing.T, l *lake.Lake, table string, all, some schema.Columns) {
	expect.OK(t, l.ScanTable(t.Context(), table, "a", some, lake.ScanOptions{}, func() error {
		schema.AppendRows(all, some, 0, schema.Rows(some))
		return nil
	}))
}

// sorted returns a line for every step.
func (s *storedSteps) sorted() []string {
	lines := make([]string, len(s.steps.Root))
	for i := range lines {
		lines[i] = rowText(s.steps, i)
	}
	slices.Sort(lines)
	return lines
}

// meetCompositions sums the steps up by fragment and part.
func (s *storedSteps) meetCompositions(t *testing.T, l *lake.Lake) {
	names := s.steps.Names
	sums := schema.NewCompositions(names)
	readAll(t, l, "compositions", sums, schema.NewCompositions(names))
	type key struct {
		fragment, component, function, sender, label, busy schema.Code
		category                                           schema.Category
	}
	type sum struct{ steps, ns int64 }
	got, want := make(map[key]sum), make(map[key]sum)
	for i, root := range s.steps.Root {
		k := key{s.executions.Fragment[s.byFirst[root]], s.steps.Component[i], s.steps.Function[i], s.steps.Sender[i], s.steps.Label[i], s.steps.Busy[i], s.steps.Category[i]}
		got[k] = sum{got[k].steps + 1, got[k].ns + s.steps.DurationNs[i]}
	}
	for i := range sums.Fragment {
		k := key{sums.Fragment[i], sums.Component[i], sums.Function[i], sums.Sender[i], sums.Label[i], sums.Busy[i], sums.Category[i]}
		want[k] = sum{sums.Steps[i], sums.TotalNs[i]}
	}
	if len(want) < 20 {
		t.Fatalf("only %d parts", len(want))
	}
	expect.Equal(t, fmt.Sprint(got), fmt.Sprint(want), "sums of steps")
}

// followEachOther sees that the steps of a path are numbered without gaps, and that each ends where the one after it begins.
func (s *storedSteps) followEachOther(t *testing.T) {
	type step struct{ number, startNs, endNs int64 }
	paths := make(map[int64][]step)
	for i, root := range s.steps.Root {
		paths[root] = append(paths[root], step{s.steps.Step[i], s.steps.StartNs[i], s.steps.StartNs[i] + s.steps.DurationNs[i]})
	}
	for root, path := range paths {
		slices.SortFunc(path, func(a, b step) int { return int(a.number - b.number) })
		x := s.byFirst[root]
		at := s.executions.FinishNs[x]
		for i, one := range path {
			if one.number != int64(i+1) || one.endNs != at {
				t.Fatalf("root %d: step %d is %+v, and the one behind it begins at %d", root, i+1, one, at)
			}
			at = one.startNs
		}
		expect.Equal(t, at, s.executions.StartNs[x], "start of the path of root %d", root)
	}
}

// lieInCalls sees that the time of every step in a function lies in an execution with the call path of the step, as the parents of
// executions say, and that no step lacks one.
func (s *storedSteps) lieInCalls(t *testing.T) {
	type span struct{ fromNs, toNs int64 }
	spans := make(map[string][]span) // by call path
	for i := range s.executions.Execution {
		text := ""
		for x, more := i, true; more; x, more = s.caller(x) {
			text += s.name(s.executions.Component[x], s.executions.Function[x])
		}
		spans[text] = append(spans[text], span{s.executions.StartNs[i], s.executions.FinishNs[i]})
	}
	rows := make(map[schema.Code]int)
	for i, path := range s.paths.CallPath {
		rows[path] = i
	}
	for i, path := range s.steps.CallPath {
		idle := s.steps.Function[i] == schema.NoCode
		expect.Equal(t, path == schema.NoCode, idle, "step %d has no call path", i)
		if idle {
			continue
		}
		text := ""
		for ; path != schema.NoCode; path = s.paths.Caller[rows[path]] {
			text += s.name(s.paths.Component[rows[path]], s.paths.Function[rows[path]])
		}
		if !strings.HasPrefix(text, s.name(s.steps.Component[i], s.steps.Function[i])) {
			t.Fatalf("step %d of %s has the call path %s", i, s.name(s.steps.Component[i], s.steps.Function[i]), text)
		}
		from, to := s.steps.StartNs[i], s.steps.StartNs[i]+s.steps.DurationNs[i]
		if s.steps.Sender[i] != schema.NoCode {
			from = to // a message is received within the execution, and sent before
		}
		if !slices.ContainsFunc(spans[text], func(x span) bool { return x.fromNs <= from && to <= x.toNs }) {
			t.Fatalf("step %d from %d to %d lies in no execution of %s", i, from, to, text)
		}
	}
}

// caller returns the execution that calls another one: its parent, or that which sends what starts it and receives what its end sends.
func (s *storedSteps) caller(x int) (caller int, known bool) {
	if s.executions.Parent[x] != schema.NoValue {
		return s.byFirst[s.executions.Parent[x]], true
	}
	for i, to := range s.messages.ReceiveSeq {
		if to != s.executions.Execution[x] {
			continue
		}
		caller, known := s.byFirst[s.messages.SendSeq[i]]
		for k, from := range s.messages.SendSeq {
			if known && from == s.executions.FinishSeq[x] && s.messages.ReceiveSeq[k] == s.executions.FinishSeq[caller] {
				return caller, true
			}
		}
	}
	return 0, false
}

// tree returns a line for every call path.
func (s *storedSteps) tree() (lines string) {
	for i := range s.paths.CallPath {
		lines += rowText(s.paths, i) + "\n"
	}
	return lines
}

// name is the name of a function in a call path.
func (s *storedSteps) name(component, function schema.Code) string {
	return s.steps.Names.Components.Name(component) + "." + s.steps.Names.Functions.Name(function) + "<"
}
