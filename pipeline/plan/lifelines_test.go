package plan

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/ingest"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/lake/testdata/laketest"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/text"
	"github.com/tracelake/tracelake/stages/timing/constraints"
	"github.com/tracelake/tracelake/testdata/expect"
)

// TestSpreadLifelines analyzes random traces twice: with the lifelines of a component in one bucket, and with them spread over
// several. Every table must have the same rows, in whatever order and bucket, and the same losses.
func TestSpreadLifelines(t *testing.T) {
	rounds := 8
	if testing.Short() {
		rounds = 3
	}
	for seed := range rounds {
		rng := rand.New(rand.NewSource(int64(seed)))
		trace := threadedCalls(rng, 40+rng.Intn(600))
		groups := [][]int{{0, 1, 2}, {3, 4}}[:1+seed%2]
		bucketOf := func(component, lifeline string, groups [][]int) int {
			c := int(component[1] - '0')
			if c >= len(groups) {
				return 3 * c
			}
			return groups[c][int(lifeline[len(lifeline)-1])%len(groups[c])]
		}
		whole := contents(t, analyzedBy(t, trace, nil, false, func(component, lifeline string) int { return bucketOf(component, lifeline, nil) }))
		spread := contents(t, analyzedBy(t, trace, groups, false, func(component, lifeline string) int { return bucketOf(component, lifeline, groups) }))
		for _, table := range slices.Sorted(maps.Keys(whole)) {
			if !slices.Equal(spread[table], whole[table]) {
				t.Errorf("seed %d, %s: %s", seed, table, firstDifference(spread[table], whole[table]))
			}
		}
		if len(whole["executions"]) < 20 || len(whole["constraints"]) < 40 {
			t.Errorf("seed %d: %d executions, %d constraints", seed, len(whole["executions"]), len(whole["constraints"]))
		}
	}
}

// threadedCalls is a random trace of components with several lifelines each, whose calls nest, cut each other short, and send
// each other requests, replies and messages that nobody receives. Many events have the same time.
func threadedCalls(rng *rand.Rand, events int) string {
	var trace strings.Builder
	now, sent := 0, 0
	var waiting []string                 // messages that nobody has received
	open := make(map[string][][2]string) // by lifeline: functions, and the requests that they are to answer
	for range events {
		now += rng.Intn(3)
		component := fmt.Sprint("c", rng.Intn(4)*rng.Intn(2))
		executor := fmt.Sprint("e", rng.Intn(5))
		lifeline := component + "/" + executor
		line := fmt.Sprintf("0.%09d %s %s", now, executor, component)
		calls := open[lifeline]
		if n := len(calls); n > 0 && (n > 3 || rng.Intn(2) == 0) {
			i := n - 1
			if rng.Intn(15) == 0 {
				i = rng.Intn(n)
			}
			fmt.Fprintf(&trace, "%s < %s%s\n", line, calls[i][0], calls[i][1])
			if calls[i][1] != "" {
				waiting = append(waiting, calls[i][1][2:])
			}
			open[lifeline] = slices.Delete(calls, i, i+1)
			continue
		}
		function, message, reply := fmt.Sprint("f", rng.Intn(3)), "", ""
		switch n := rng.Intn(6); {
		case n < 2:
			sent++
			message = fmt.Sprint(" !q", sent)
			waiting = append(waiting, message[2:])
		case n < 4 && len(waiting) > 0:
			k := rng.Intn(len(waiting))
			message = " ?" + waiting[k]
			if waiting[k][0] == 'q' && n == 2 {
				reply = " !r" + waiting[k][1:]
			}
			waiting = slices.Delete(waiting, k, k+1)
		}
		fmt.Fprintf(&trace, "%s > %s%s\n", line, function, message)
		open[lifeline] = append(calls, [2]string{function, reply})
	}
	return trace.String()
}

// analyzedBy ingests a trace into a new lake, puts its rows into buckets, and analyzes it with component models; apart means
// every task in a process of its own.
func analyzedBy(t *testing.T, trace string, groups [][]int, apart bool, bucketOf func(component, lifeline string) int) *lake.Lake {
	t.Helper()
	l := expect.Value(lake.Open(t.TempDir(), true))(t)
	path := writeTrace(t, "trace.tmsctrace", trace)
	detect := func(string, []byte) (schema.Format, error) { return text.Tmsctrace(), nil }
	_, _, err := ingest.Run(t.Context(), ingest.Job{
		Lake: l, Run: "a", Paths: []string{path}, Detect: detect, Incomplete: "complete", Untraced: "ignore", Jobs: 1,
	})
	expect.OK(t, err)
	events, messages, arrivals := schema.NewEvents(), schema.NewMessages(new(schema.Names)), schema.NewArrivals(new(schema.Names))
	rebucket(t, l, events, groups, func(i int) int { return bucketOf(nameAt(events, "component", i), nameAt(events, "lifeline", i)) })
	rebucket(t, l, messages, groups, func(i int) int {
		return bucketOf(nameAt(messages, "sender", i), nameAt(messages, "sender_lifeline", i))
	})
	rebucket(t, l, arrivals, groups, func(i int) int {
		return bucketOf(nameAt(arrivals, "receiver", i), nameAt(arrivals, "receiver_lifeline", i))
	})
	stages := expect.Value(pipeline.Order(Stages(Options{Constraints: constraints.Defaults(), Models: new(Models), Gains: true, Steps: true}), Given...))(t)
	e := &pipeline.Engine{Lake: l, Stages: stages, Jobs: 2}
	if apart {
		e.Executor = &processes{lake: l}
	}
	expect.Value(e.Run(t.Context(), []lake.Partition{lake.Run("a")}))(t)
	return l
}

// TestSpreadInProcesses runs every task of a run with spread lifelines in a process of its own. The bytes are those of one.
func TestSpreadInProcesses(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: a process for every task")
	}
	trace := threadedCalls(rand.New(rand.NewSource(9)), 300)
	groups := [][]int{{0, 1, 2}}
	bucketOf := func(component, lifeline string) int {
		if component == "c0" {
			return int(lifeline[len(lifeline)-1]) % 3
		}
		return 3
	}
	one, many := analyzedBy(t, trace, groups, false, bucketOf), analyzedBy(t, trace, groups, true, bucketOf)
	laketest.CheckSame(t, "in processes of their own", laketest.Hashes(t, many.Dir), laketest.Hashes(t, one.Dir))
}

// nameAt is the name in a column of a row.
func nameAt(t schema.Columns, column string, i int) string {
	columns := t.Columns()
	c := columns[slices.IndexFunc(columns, func(c schema.Column) bool { return c.Name == column })]
	return c.Dict.Name((*c.Codes)[i])
}

// tableOf is the name of a table of columns: that of its type, with an underscore between words.
func tableOf(t schema.Columns) string {
	var out strings.Builder
	for i, r := range strings.TrimPrefix(fmt.Sprintf("%T", t), "*schema.") {
		if i > 0 && unicode.IsUpper(r) {
			out.WriteByte('_')
		}
		out.WriteRune(unicode.ToLower(r))
	}
	return out.String()
}

// rebucket puts the rows of a table into buckets, as an ingest does with a trace that is a thousand times longer.
func rebucket(t *testing.T, l *lake.Lake, all schema.Columns, groups [][]int, bucketOf func(i int) int) {
	t.Helper()
	table := tableOf(all)
	m := expect.Value(l.Manifest(table, lake.Run("a")))(t)
	if len(m.Files) == 0 {
		return
	}
	in := expect.Value(l.Reader(m.Files[0], all))(t)
	defer in.Close()
	expect.Value(in.Next())(t)
	if len(m.Files) > 1 || int64(schema.Rows(all)) != m.Rows() {
		t.Fatalf("%s: the rows are more than a row group", table)
	}
	rows := make(map[int][]int)
	for i := range schema.Rows(all) {
		rows[bucketOf(i)] = append(rows[bucketOf(i)], i)
	}
	staging := expect.Value(l.Stage("rebucket", lake.Run("a"), m.Fingerprint+table))(t)
	changed := *m
	changed.Files, changed.Groups = nil, groups
	for _, bucket := range slices.Sorted(maps.Keys(rows)) {
		out := likeOf(all)
		for _, i := range rows[bucket] {
			schema.AppendRows(out, all, i, i+1)
		}
		w := expect.Value(staging.CreateTable(table, bucket, 0, out))(t)
		expect.OK(t, w.Finish(out))
		changed.Files = append(changed.Files, w.File)
	}
	expect.OK(t, staging.Commit(&changed))
}

// likeOf is an empty table of the same type and names.
func likeOf(t schema.Columns) schema.Columns {
	switch t := t.(type) {
	case *schema.Messages:
		return schema.NewMessages(t.Names)
	case *schema.Arrivals:
		return schema.NewArrivals(t.Names)
	}
	return &schema.Events{Names: t.(*schema.Events).Names}
}

// contents are the sorted rows of every table of the run, and the losses of its stages.
func contents(t *testing.T, l *lake.Lake) map[string][]string {
	t.Helper()
	all := make(map[string][]string)
	names := new(schema.Names)
	for _, rows := range []schema.Columns{
		schema.NewEvents(), schema.NewMessages(names), schema.NewArrivals(names), schema.NewExecutions(names), schema.NewConstraints(names),
		schema.NewSamples(names), schema.NewMetrics(names), schema.NewCompositions(names), schema.NewGains(names), schema.NewCriticalSteps(names), schema.NewCallPaths(names), new(schema.Slack),
	} {
		table := tableOf(rows)
		expect.OK(t, l.ScanTable(t.Context(), table, "a", rows, lake.ScanOptions{}, func() error {
			for i := range schema.Rows(rows) {
				all[table] = append(all[table], rowText(rows, i))
			}
			return nil
		}))
	}
	rowsOf[schema.Fragment](t, l, "fragments", all)
	rowsOf[schema.State](t, l, "states", all)
	rowsOf[schema.Transition](t, l, "transitions", all)
	rowsOf[schema.Summary](t, l, "summaries", all)
	rowsOf[schema.Violation](t, l, "violations", all)
	rowsOf[schema.Model](t, l, "models", all)
	rowsOf[schema.ModelState](t, l, "model_states", all)
	rowsOf[schema.ModelTransition](t, l, "model_transitions", all)
	for _, m := range expect.Value(l.Inventory(lake.Run("a")))(t).Tables {
		for _, loss := range m.Losses {
			loss.FirstPosition = "" // the first one in the order of the buckets
			all["losses"] = append(all["losses"], fmt.Sprint(m.Table, loss))
		}
	}
	for table := range all {
		slices.Sort(all[table])
	}
	return all
}

// rowsOf adds a table of few rows.
func rowsOf[T any](t *testing.T, l *lake.Lake, table string, all map[string][]string) {
	t.Helper()
	for _, row := range expect.Value(lake.Read[T](l, table, lake.Run("a")))(t) {
		all[table] = append(all[table], string(expect.Value(json.Marshal(row))(t)))
	}
}

// rowText is a row of columns as text.
func rowText(t schema.Columns, i int) string {
	var out strings.Builder
	for _, c := range t.Columns() {
		switch {
		case c.Ints != nil:
			fmt.Fprintf(&out, " %s=%d", c.Name, (*c.Ints)[i])
		case c.Codes != nil && (*c.Codes)[i] != schema.NoCode:
			fmt.Fprintf(&out, " %s=%s", c.Name, c.Dict.Name((*c.Codes)[i]))
		case c.Enum != nil:
			fmt.Fprintf(&out, " %s=%s", c.Name, c.Words[(*c.Enum)[i]])
		case c.Bools != nil:
			fmt.Fprintf(&out, " %s=%t", c.Name, (*c.Bools)[i])
		}
	}
	return out.String()
}

// firstDifference is the first row that only one of two sorted lists has.
func firstDifference(got, want []string) string {
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) || got[i] != want[i] {
			return fmt.Sprintf("%d rows, want %d; row %d is\n%s\nwant\n%s", len(got), len(want), i, at(got, i), at(want, i))
		}
	}
	return ""
}

func at(rows []string, i int) string {
	return strings.Join(rows[min(i, len(rows)):min(i+1, len(rows))], "")
}
