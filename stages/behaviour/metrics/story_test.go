package metrics_test

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/metrics"
	"github.com/tracelake/tracelake/stages/chart/executions"
	"github.com/tracelake/tracelake/stages/chart/testdata/charttest"
	"github.com/tracelake/tracelake/stages/chart/testdata/storytest"
	"github.com/tracelake/tracelake/testdata/expect"
)

// chart makes a table well-formed.
func chart(t testing.TB, trace string) (*schema.Events, *schema.Messages) {
	t.Helper()
	c := charttest.Read(t, charttest.FormatOf(t, "table", trace), trace)
	return c.Events, c.Messages
}

// derive gives the metrics of a table, of its executions in batches.
func derive(t testing.TB, trace string, batch int) *schema.Metrics {
	t.Helper()
	ev, m := chart(t, trace)
	ex := schema.NewExecutions(ev.Names)
	pairs := executions.NewBuilder(ev.Names)
	b := metrics.NewBuilder(ev.Names)
	b.AddMessages(m)
	led := new(schema.Ledger)
	pairs.Add(ev, ex, led)
	for at := 0; at < len(ex.Execution); at += batch {
		part := schema.NewExecutions(ev.Names)
		schema.AppendRows(part, ex, at, min(at+batch, len(ex.Execution)))
		b.AddExecutions(part)
	}
	return all(t, ev.Names, b)
}

// all gives the metrics of a builder in one table.
func all(t testing.TB, names *schema.Names, b *metrics.Builder) *schema.Metrics {
	t.Helper()
	out := schema.NewMetrics(names)
	expect.OK(t, b.Metrics(out, func() error { return nil }))
	return out
}

// render has a line for every metric: "component fragment metric: value at time, ...".
func render(m *schema.Metrics) string {
	var out strings.Builder
	for i := range m.Metric {
		if m.Occurrence[i] > 0 {
			fmt.Fprintf(&out, ", %d at %d", m.ValueNs[i], m.TimeNs[i])
			continue
		}
		if i > 0 {
			fmt.Fprintln(&out)
		}
		of := m.Names.Components.Name(m.Component[i])
		if m.Fragment[i] != schema.NoCode {
			of += " [" + m.Names.Fragments.Name(m.Fragment[i]) + "]"
		}
		fmt.Fprintf(&out, "%s %s: %d at %d", of, schema.MetricWords[m.Metric[i]], m.ValueNs[i], m.TimeNs[i])
	}
	fmt.Fprintln(&out)
	return out.String()
}

func TestStories(t *testing.T) {
	storytest.Play(t, 1, func(t *testing.T, files []txtar.File, _ string) string {
		got := render(derive(t, string(files[0].Data), 1<<20))
		expect.Equal(t, render(derive(t, string(files[0].Data), 2)), got, "in batches")
		return got
	})
}

// Spans of overlapping lifelines: up is every moment in which some call runs, down every other one between the first
// and the last. Counted moment by moment.
func TestUpAndDownCoverTheTrace(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	for range 300 {
		var moments [100]bool
		var rows []string
		type call struct{ lifeline, from, to int }
		var calls []call
		for lifeline := range 3 {
			for at := rng.Intn(30); at < 90; {
				to := at + rng.Intn(10)
				calls = append(calls, call{lifeline, at, to})
				for i := at; i < to; i++ {
					moments[i] = true
				}
				at = to + 1 + rng.Intn(40)
			}
		}
		for now := range moments {
			for _, c := range calls {
				if c.to == now && c.from < now {
					rows = append(rows, fmt.Sprintf("%d,c,f,finish,%d", now, c.lifeline))
				}
			}
			for _, c := range calls {
				if c.from == now {
					rows = append(rows, fmt.Sprintf("%d,c,f,start,%d", now, c.lifeline))
				}
				if c.from == now && c.to == now {
					rows = append(rows, fmt.Sprintf("%d,c,f,finish,%d", now, c.lifeline))
				}
			}
		}
		m := derive(t, "time,component,function,kind,thread\n"+strings.Join(rows, "\n")+"\n", 1<<20)
		checkSpans(t, m, moments[:], strings.Join(rows, "\n"))
	}
}

func checkSpans(t *testing.T, m *schema.Metrics, moments []bool, trace string) {
	t.Helper()
	up := map[int64]bool{}
	down := map[schema.Metric]int64{}
	first, last := int64(len(moments)), int64(0)
	for i := range m.Metric {
		switch m.Metric[i] {
		case schema.ComponentUp:
			for at := m.TimeNs[i]; at < m.TimeNs[i]+m.ValueNs[i]; at++ {
				up[at] = true
			}
			first, last = min(first, m.TimeNs[i]), max(last, m.TimeNs[i]+m.ValueNs[i])
		case schema.ComponentDown, schema.Downtime:
			down[m.Metric[i]] += m.ValueNs[i]
			for at := m.TimeNs[i]; at < m.TimeNs[i]+m.ValueNs[i]; at++ {
				if moments[at] {
					t.Fatalf("%s at %d of\n%s", schema.MetricWords[m.Metric[i]], at, trace)
				}
			}
		}
	}
	idle := int64(0)
	for at := first; at < last; at++ {
		if up[at] != moments[at] {
			t.Fatalf("up at %d: %v of\n%s", at, up[at], trace)
		}
		if !moments[at] {
			idle++
		}
	}
	if down[schema.ComponentDown] != idle || down[schema.Downtime] != idle {
		t.Fatalf("down for %v, idle for %d of\n%s", down, idle, trace)
	}
}

// A request may be sent at the start or at the finish of an execution, and its metric belongs to a fragment that ran.
func TestCallbackBelongsToTheFragmentThatAsked(t *testing.T) {
	m := derive(t, `time,component,function,kind,id,type
0,c,outer,start
1,c,ask,start
5,c,ask,finish,m1,send
6,s,h,start,m1,receive
7,s,h,finish,m2,send
8,c,outer,finish
9,c,done,start,m2,receive
11,c,done,finish
`, 1)
	ran, waits := make(map[schema.Code]bool), 0
	for i, metric := range m.Metric {
		ran[m.Fragment[i]] = ran[m.Fragment[i]] || metric == schema.Runtime
	}
	for i, metric := range m.Metric {
		if metric == schema.FcnWait {
			waits++
			expect.Equal(t, m.Names.Fragments.Name(m.Fragment[i]), "c.outer", "fragment")
			expect.Equal(t, ran[m.Fragment[i]], true, "the fragment ran")
		}
	}
	expect.Equal(t, waits, 1, "requests with a callback")
}
