package services

import (
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// row is an execution of a test: its events are numbered like its times.
type row struct {
	lifeline, function string
	start, finish      int64
	caller             int64 // schema.NoValue for none
	role               schema.Role
}

// collected puts executions and messages together; a message is (sent, received, lifeline of the sender).
func collected(rows []row, messages [][2]int64, from []string) ([]Request, *schema.Names) {
	names := new(schema.Names)
	x, m := schema.NewExecutions(names), schema.NewMessages(names)
	for i, r := range rows {
		x.Execution, x.FinishSeq = append(x.Execution, r.start), append(x.FinishSeq, r.finish)
		x.StartNs, x.FinishNs = append(x.StartNs, r.start), append(x.FinishNs, r.finish)
		duration := r.finish - r.start
		if duration == 1 {
			duration = 0
		}
		x.DurationNs, x.Number = append(x.DurationNs, duration), append(x.Number, int64(i+1))
		x.Component, x.Lifeline = append(x.Component, names.Components.Code(r.lifeline)), append(x.Lifeline, names.Lifelines.Code(r.lifeline))
		x.Function, x.Parent, x.Role = append(x.Function, names.Functions.Code(r.function)), append(x.Parent, r.caller), append(x.Role, r.role)
	}
	for i, ends := range messages {
		m.SendSeq, m.ReceiveSeq = append(m.SendSeq, ends[0]), append(m.ReceiveSeq, ends[1])
		m.SenderLifeline = append(m.SenderLifeline, names.Lifelines.Code(from[i]))
	}
	var c Collector
	c.AddMessages(m)
	c.AddExecutions(x)
	c.AddFailure(2)
	return c.Requests(3), names
}

// TestRequests follows a call by a client span, a call in the midst of an execution, a reply that starts nothing, and a message
// that is received before it is sent.
func TestRequests(t *testing.T) {
	none := schema.NoValue
	got, names := collected([]row{
		{"web", "GET", 0, 20, none, schema.Internal},
		{"web", "call", 1, 6, 0, schema.BlockingCall},
		{"db", "query", 2, 4, none, schema.SyncHandler},
		{"web", "send", 7, 8, 0, schema.Request}, // carries a message of GET
		{"log", "write", 9, 11, none, schema.TriggerHandle},
		{"early", "bird", 12, 14, none, schema.TriggerHandle},
		{"late", "worm", 13, 16, none, schema.Internal},
		{"web", "GET", 30, 33, none, schema.Internal},
	}, [][2]int64{{1, 2}, {4, 6}, {7, 9}, {15, 12}}, []string{"web", "db", "web", "late"})
	type span struct {
		function string
		parent   int32
	}
	want := [][]span{{{"GET", -1}, {"call", 0}, {"query", 1}, {"write", 0}}, {{"bird", -1}}, {{"worm", -1}}, {{"GET", -1}}}
	expect.Equal(expect.Must(t), len(got), len(want), "requests")
	for i, r := range got {
		var spans []span
		for _, s := range r.Spans {
			spans = append(spans, span{names.Functions.Name(s.Function), s.Parent})
		}
		expect.Slice(t, spans, want[i], "spans of request %d", i)
		for k, s := range r.Spans {
			expect.Equal(t, s.Failed, i == 0 && k == 2, "failure of span %d of request %d", k, i)
		}
		expect.Equal(t, r.Run, 3, "run of request %d", i)
	}
	expect.Equal(t, got[3].Root, 8, "number of the last root")
}

// TestOwn sees that time is an execution's own where nothing else of the request has it.
func TestOwn(t *testing.T) {
	spans := []Span{
		{Component: 0, StartNs: 0, FinishNs: 100, Parent: -1},
		{Component: 0, StartNs: 10, FinishNs: 80, Parent: 0}, // waits beside the call
		{Component: 0, StartNs: 20, FinishNs: 90, Parent: 0}, // the call
		{Component: 1, StartNs: 30, FinishNs: 200, Parent: 2},
		{Component: 0, StartNs: 92, FinishNs: 95, Parent: 0},
	}
	m := new(measurer)
	m.relate(spans)
	for i, want := range []int64{100 - 80 - 3, 10, 10, 170, 3} {
		expect.Equal(t, m.ownNs(spans, i), want, "own time of span %d", i)
	}
}
