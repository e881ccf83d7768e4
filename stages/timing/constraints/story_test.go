package constraints_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/chart/testdata/storytest"
	"github.com/tracelake/tracelake/stages/chart/wellformed"
	"github.com/tracelake/tracelake/stages/timing/constraints"
	"github.com/tracelake/tracelake/stages/timing/criticalpath"
	"github.com/tracelake/tracelake/stages/timing/window"
	"github.com/tracelake/tracelake/testdata/expect"
)

// TestStories derives the charts of the traces of testdata. A story's files are a trace, named by its format, and
// the wanted results, named by words:
//
//	events             the events, as Fig. 4a of the paper writes them
//	constraints        the constraints into all events, as Fig. 4b writes them
//	into=EVENT         those into one event
//	path=EVENT         the critical constraints towards an event, and its representative path
//	composition=EVENT  what that path spends its time on
//	discard, insert    the heuristics of sections IV-B and IV-C
//	epsilon=D, epsilon:LABEL=D, bounds=NAME, callbacks-hold
func TestStories(t *testing.T) {
	storytest.Play(t, 1, func(t *testing.T, files []txtar.File, want string) string {
		return parseQuestion(t, want).answer(t, files[0].Name, string(files[0].Data))
	})
}

// question is the name of a wanted result, parsed.
type question struct {
	repair      wellformed.Options
	derive      constraints.Options
	view, about string // the kind of the result, and the event that it is about
}

func parseQuestion(t *testing.T, words string) question {
	q := question{derive: constraints.Defaults()}
	q.derive.Bounds = constraints.Paper
	for word := range strings.FieldsSeq(words) {
		key, value, _ := strings.Cut(word, "=")
		label, labelled := strings.CutPrefix(key, "epsilon:")
		switch {
		case key == "discard":
			q.repair.Discard = true
		case key == "insert":
			q.repair.Insert = true
		case key == "callbacks-hold":
			q.derive.Callbacks = true
		case key == "bounds":
			q.derive.Bounds = constraints.Bounds(value)
		case labelled:
			q.derive.Epsilons = append(q.derive.Epsilons, constraints.Label{Message: label, EpsilonNs: duration(t, value)})
		case key == "epsilon":
			q.derive.EpsilonNs = duration(t, value)
		default:
			q.view, q.about = key, value
		}
	}
	return q
}

func duration(t *testing.T, text string) int64 {
	d := expect.Value(time.ParseDuration(text))(t)
	return d.Nanoseconds()
}

func (q question) answer(t *testing.T, format, content string) string {
	tr := ingest(t, format, content, q.repair)
	c := &chart{trace: tr, names: tr.expressions()}
	c.window, c.parts = wholeChart(tr.derive(t, q.derive, 3))
	switch q.view {
	case "events":
		c.writeEvents()
	case "constraints":
		for target := c.window.Lo; target < c.window.Hi; target++ {
			c.writeInto(target)
		}
	case "into":
		c.writeInto(c.event(t, q.about))
	case "path":
		c.writePath(t, q.about)
	case "composition":
		c.writeComposition(t, q.about)
	default:
		t.Fatalf("%q?", q.view)
	}
	return c.String()
}

// chart is the chart of a story, and the text of a result.
type chart struct {
	*trace
	names  map[int64]string
	window *window.Window
	parts  []window.Part
	strings.Builder
}

// seconds is a time in seconds.
func seconds(ns int64) string { return strconv.FormatFloat(float64(ns)/1e9, 'f', -1, 64) }

func (c *chart) event(t *testing.T, expression string) int64 {
	for seq, name := range c.names {
		if name == expression {
			return seq
		}
	}
	t.Fatalf("no event %s", expression)
	return 0
}

func (c *chart) writeEvents() {
	for _, e := range c.events() {
		name := c.names[e.seq]
		open := strings.LastIndexByte(name, '(')
		component, function, _ := strings.Cut(name[:open], ".")
		index, kind, _ := strings.Cut(name[open+1:], ")")
		fmt.Fprintf(c, "(%s, %s, %s, %s, %s)\n", component, function, index, kind, seconds(e.ev.TimeNs[e.row]))
	}
}

func (c *chart) writeInto(target int64) {
	for i := range c.window.Into(target) {
		c.writeEdge(target, &c.window.Into(target)[i])
	}
}

// writeEdge writes a constraint: its bound, its message, and how far apart its events are where it is not critical.
func (c *chart) writeEdge(target int64, e *window.Edge) {
	fmt.Fprintf(c, "%s -%s-> %s", c.names[e.Source], seconds(e.BoundNs), c.names[target])
	if e.Flags&window.Message != 0 {
		fmt.Fprintf(c, " %s", c.trace.names.Messages.Name(c.parts[e.Part].Label))
	}
	if e.Flags&window.Critical == 0 {
		fmt.Fprintf(c, ", %s apart", seconds(e.DurationNs))
	}
	fmt.Fprintln(c)
}

func (c *chart) writePath(t *testing.T, expression string) {
	target := criticalpath.Target{From: criticalpath.Start, FromNs: schema.NoValue, To: c.event(t, expression)}
	target.ToNs = c.window.Into(target.To)[0].TargetNs
	closure := criticalpath.NewClosure(target, c.events()[0].seq)
	var lines []string
	closure.Take = func(to int64, e *window.Edge, on bool) {
		if on {
			c.Builder.Reset()
			c.writeEdge(to, e)
			lines = append(lines, c.String())
		}
	}
	closure.Down(c.window)
	slices.Reverse(lines)
	c.Builder.Reset()
	c.WriteString(strings.Join(lines, ""))
	fmt.Fprintln(c, "representative:")
	steps, _ := c.follow(target)
	for _, s := range steps {
		fmt.Fprintf(c, "%s to %s: %s\n", c.names[s.Source], c.names[s.Target], c.spent(s.TargetNs-s.SourceNs, s.Key))
	}
}

func (c *chart) writeComposition(t *testing.T, expression string) {
	target := criticalpath.Target{From: criticalpath.Start, FromNs: schema.NoValue, To: c.event(t, expression)}
	target.ToNs = c.window.Into(target.To)[0].TargetNs
	_, sums := c.follow(target)
	for _, s := range sums.Sums(0, c.trace.names, c.parts) {
		fmt.Fprintf(c, "%s in %d steps\n", c.spent(s.TotalNs, s.Key), s.Steps)
	}
}

// follow follows the representative path towards an event.
func (c *chart) follow(target criticalpath.Target) (steps []criticalpath.Step, sums criticalpath.Composition) {
	tracer := &criticalpath.Tracer{
		Step: func(_ *criticalpath.Target, s criticalpath.Step) { steps = append(steps, s) },
		Done: func(_ *criticalpath.Target, shares []criticalpath.Share, _ int64) { sums.Add(0, shares) },
	}
	tracer.Add(target)
	tracer.Down(c.window, c.parts)
	tracer.Finish()
	slices.Reverse(steps)
	return steps, sums
}

// spent is a time and what it was spent on.
func (c *chart) spent(ns int64, k criticalpath.Key) string {
	n, p := c.trace.names, c.parts[k.Part]
	out := fmt.Sprintf("%s %s %s", seconds(ns), schema.CategoryWords[k.Category], n.Components.Name(p.Component))
	if p.Function != schema.NoCode {
		out += "." + n.Functions.Name(p.Function)
	}
	if p.Message {
		out += " from " + n.Components.Name(p.Sender) + " by " + n.Messages.Name(p.Label)
	}
	if k.Busy != schema.NoCode {
		out += ", while a message waited for " + n.Components.Name(k.Busy)
	}
	return out
}
