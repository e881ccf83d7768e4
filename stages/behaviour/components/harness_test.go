package components_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/components"
	"github.com/tracelake/tracelake/stages/behaviour/language"
	"github.com/tracelake/tracelake/stages/chart/testdata/charttest"
	"github.com/tracelake/tracelake/stages/ingest/tmsct"
	"github.com/tracelake/tracelake/testdata/expect"
)

// trace is a trace made well-formed, in one part.
type trace struct {
	events   *schema.Events
	messages *schema.Messages
	notes    []schema.Annotation
}

// ingest reads a .tmsct text and makes it well-formed, without losses.
func ingest(t testing.TB, text string) *trace {
	t.Helper()
	c := charttest.Read(t, tmsct.Format(), text)
	for _, l := range c.Ledger.Losses("") {
		if l.Reason != schema.InferredCallback.Name {
			t.Fatalf("the trace has losses: %+v", l)
		}
	}
	return &trace{events: c.Events, messages: c.Messages, notes: c.Annotations}
}

// example is a trace of MIDS.
func example(t testing.TB, name string) *trace {
	t.Helper()
	text := expect.Value(os.ReadFile(filepath.Join("../../../testdata/traces/mids", name+".tmsct")))(t)
	return ingest(t, string(text))
}

// builder has learned a trace.
func (tr *trace) builder(t testing.TB, opt components.Options) *components.Builder {
	t.Helper()
	b := expect.Value(components.NewBuilder(tr.events.Names, opt, tr.notes))(t)
	led := new(schema.Ledger)
	b.AddMessages(tr.messages)
	b.Survey(tr.events)
	b.Add(tr.events, led)
	if l := led.Losses(""); len(l) > 0 {
		t.Fatalf("losses: %+v", l)
	}
	return b
}

func (tr *trace) models(t testing.TB, opt components.Options) *components.Set {
	t.Helper()
	set := expect.Value(tr.builder(t, opt).Set(new(schema.Ledger)))(t)
	return set
}

// same checks that models are as recorded: of the same language, with as many states and transitions, and with
// the same conditions.
func same(t *testing.T, got *components.Set, want []*components.Model) {
	t.Helper()
	expect.Slice(expect.Must(t), componentsOf(got.Models), componentsOf(want), "models")
	for i, w := range want {
		g := got.Models[i]
		if g.States() != w.States() || g.Transitions() != w.Transitions() {
			t.Errorf("%s: %d states and %d transitions, want %d and %d\n%s", w.Component, g.States(), g.Transitions(), w.States(), w.Transitions(), render(got, g))
		}
		if !sameLanguage(g.Plain().Automaton, w.Plain().Automaton) {
			t.Errorf("%s: another language:\n%s", w.Component, render(got, g))
		}
		expect.Equal(t, conditions(got, g), conditions(got, w), "%s: conditions", got.Models[i].Component)
	}
}

func componentsOf(models []*components.Model) (names []string) {
	for _, m := range models {
		names = append(names, m.Component)
	}
	return names
}

// conditions lists what transitions ask and make of the variables, sorted, and which events they have.
func conditions(s *components.Set, m *components.Model) string {
	if m.Data == nil {
		return ""
	}
	var lines []string
	for _, v := range m.Data.Variables {
		lines = append(lines, fmt.Sprint("variable ", v.Name, " to ", v.Max))
	}
	for i, step := range m.Data.Steps {
		lines = append(lines, labelled(s, m.Label[i])+" "+written(m.Data, step))
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

func written(d *components.Data, step components.Step) string {
	var out []string
	for _, g := range step.When {
		out = append(out, fmt.Sprint(d.Variables[g.Variable].Name, map[bool]string{false: "=", true: "<"}[g.Less], g.Value))
	}
	for _, u := range step.Do {
		out = append(out, fmt.Sprint(d.Variables[u.Variable].Name, map[bool]string{false: ":=", true: "+="}[u.Add], u.Value))
	}
	return strings.Join(out, ", ")
}

func labelled(s *components.Set, label uint32) string {
	if label == language.Tau {
		return "tau"
	}
	return s.Alphabet.Name(label)
}

// render writes a model, a line for each transition; states in brackets accept.
func render(s *components.Set, m *components.Model) string {
	var out strings.Builder
	state := func(n int32) string {
		if m.Accepting[n] {
			return fmt.Sprintf("[%d]", n)
		}
		return fmt.Sprint(n)
	}
	for i, source := range m.Source() {
		fmt.Fprintf(&out, "  %s %s %s", state(source), labelled(s, m.Label[i]), state(m.Target[i]))
		if m.Data != nil {
			out.WriteString(" " + written(m.Data, m.Data.Steps[i]))
		}
		out.WriteByte('\n')
	}
	return out.String()
}

// sameLanguage reports whether two automata accept the same words: their minimal automata are then identical.
func sameLanguage(a, b *language.Automaton) bool {
	return language.Identical(language.Minimise(a), language.Minimise(b))
}
