package executions_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/chart/executions"
	"github.com/tracelake/tracelake/stages/chart/testdata/charttest"
	"github.com/tracelake/tracelake/stages/chart/testdata/storytest"
	"github.com/tracelake/tracelake/testdata/expect"
)

// story makes a trace of lines "time lifeline > function", "... < function"; then may stand the message
// as "?peer" (receives) or "!peer" (sends), an execution type as ":type", and "*" for an invented event.
// The component is the lifeline up to a slash. A line "time lifeline - function" is a further message.
func story(t testing.TB, names *schema.Names, text string) *schema.Events {
	t.Helper()
	ev := &schema.Events{Names: names}
	for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
		f := strings.Fields(line)
		if len(f) < 4 {
			t.Fatalf("not an event: %q", line)
		}
		ns := expect.Value(strconv.ParseInt(f[0], 10, 64))(t)
		add(ev, ns, f[1], f[3], schema.Kind(strings.Index("><-", f[2])))
		for _, more := range f[4:] {
			extend(ev, len(ev.Seq)-1, more)
		}
	}
	return ev
}

func add(ev *schema.Events, ns int64, lifeline, function string, kind schema.Kind) {
	component, _, _ := strings.Cut(lifeline, "/")
	charttest.Append(ev, charttest.Row{TimeNs: ns, Component: component, Lifeline: lifeline, Function: function, Kind: kind})
}

func extend(ev *schema.Events, i int, more string) {
	switch more[0] {
	case '!', '?':
		ev.Direction[i] = schema.Direction(1 + strings.IndexByte("!?", more[0]))
		if len(more) > 1 {
			ev.Peer[i] = ev.Names.Components.Code(more[1:])
		}
	case ':':
		ev.ExecutionType[i] = ev.Names.Types.Code(more[1:])
	case '*':
		ev.Synthetic[i] = true
	}
}

// part is a batch of a trace.
func part(ev *schema.Events, from, to int) *schema.Events {
	return &schema.Events{
		Names: ev.Names, Seq: ev.Seq[from:to], TimeNs: ev.TimeNs[from:to], Component: ev.Component[from:to],
		Lifeline: ev.Lifeline[from:to], Function: ev.Function[from:to], Kind: ev.Kind[from:to], Direction: ev.Direction[from:to],
		Peer: ev.Peer[from:to], ExecutionType: ev.ExecutionType[from:to], Synthetic: ev.Synthetic[from:to],
	}
}

// pair gives the executions of a trace taken in batches.
func pair(ev *schema.Events, batch int, led *schema.Ledger) *schema.Executions {
	b, out := executions.NewBuilder(ev.Names), schema.NewExecutions(ev.Names)
	for at := 0; at < len(ev.Seq); at += batch {
		b.Add(part(ev, at, min(at+batch, len(ev.Seq))), out, led)
	}
	return out
}

// row is an execution in words.
func row(ex *schema.Executions, i int) string {
	n := ex.Names
	text := fmt.Sprintf("%s.%s(%d) %d to %d: %d, self %d, depth %d, %s #%d", n.Lifelines.Name(ex.Lifeline[i]), n.Functions.Name(ex.Function[i]), ex.Number[i],
		ex.Execution[i], ex.FinishSeq[i], ex.DurationNs[i], ex.SelfNs[i], ex.Depth[i], n.Fragments.Name(ex.Fragment[i]), ex.Occurrence[i])
	if ex.Parent[i] != schema.NoValue {
		text += fmt.Sprintf(", in %d", ex.Parent[i])
	}
	for _, more := range []string{schema.RoleWords[ex.Role[i]], n.Types.Name(ex.Type[i])} {
		if more != "" {
			text += ", " + more
		}
	}
	if ex.Peer[i] != schema.NoCode {
		text += " with " + n.Components.Name(ex.Peer[i])
	}
	if ex.Synthetic[i] {
		text += ", invented"
	}
	return text
}

func render(ex *schema.Executions, led *schema.Ledger) string {
	var out strings.Builder
	for i := range ex.Execution {
		fmt.Fprintln(&out, row(ex, i))
	}
	for _, l := range led.Losses("") {
		fmt.Fprintf(&out, "%s %d, first at %s\n", l.Reason, l.Count, l.FirstPosition)
	}
	return out.String()
}

func TestStories(t *testing.T) {
	storytest.Play(t, 1, func(t *testing.T, files []txtar.File, _ string) string {
		led := new(schema.Ledger)
		ev := story(t, new(schema.Names), string(files[0].Data))
		return render(pair(ev, len(ev.Seq), led), led)
	})
}
