package rootcause

import (
	"strconv"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// Request and reply of one call are one edge: their effects add up, and what one gains and the other loses is a clock's doing.
func TestEdges(t *testing.T) {
	for _, c := range []struct {
		name           string
		request, reply float64 // of the candidate; the baseline has 1 ms each
		want           []string
	}{
		{"both slower", 3 * ms, 2 * ms, []string{"lib io 3000000"}},
		{"the reply slower, on a clock that moved", -20 * ms, 26 * ms, []string{"lib io 4000000"}},
		{"a clock that moved", -20 * ms, 22 * ms, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := compare(chainOfThree(), chainOfThree())
			s = append(s, message("io", "poll", "lib", schema.Transit, 4, 1*ms, c.request), message("lib", "poll", "io", schema.Transit, 4, 1*ms, c.reply))
			var got []string
			for _, f := range Find(s, defaults()) {
				got = append(got, f.Caller+" "+f.Callee+" "+strconv.FormatInt(f.EffectNs, 10))
			}
			expect.Slice(t, got, c.want, "edges with their effects")
		})
	}
}

// A message that nobody waits for is of an edge, too: who sends it calls.
func TestEdgeOfTrigger(t *testing.T) {
	found := Find([]Subject{message("log", "write", "app", schema.Transit, 1, ms, 9*ms)}, defaults())
	expect.Equal(expect.Must(t), len(found), 1, "findings")
	expect.Equal(t, found[0].Caller+" "+found[0].Callee, "app log", "caller and callee")
}

// A gateway's two spans of a request overlap, and critical paths lead through its callee: the spans wait for it. Without such a callee
// on critical paths, what is beside them is slower for itself.
func TestWaitingBesideIsNoCause(t *testing.T) {
	gateway := func(beside, callee float64) program {
		return program{[]string{"gateway.handle", "svc.work"}, map[string]work{"gateway.handle": {own: []float64{beside}}, "svc.work": {own: []float64{callee}}}}
	}
	for _, c := range []struct {
		name                 string
		beside, callee       float64
		criticalOf, critical int64 // time of the gateway on critical paths in the candidate; of the callee
		want                 []string
	}{
		{"it waits", 110 * ms, 110 * ms, 1, 110, []string{"svc.work"}},
		{"it is on the path itself", 110 * ms, 110 * ms, 110, 110, []string{"gateway.handle", "svc.work"}},
		{"it alone is slower", 110 * ms, 10 * ms, 1, 10, []string{"gateway.handle"}},
		{"the callee explains little", 110 * ms, 20 * ms, 1, 20, []string{"gateway.handle", "svc.work"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := compare(gateway(10*ms, 10*ms), gateway(c.beside, c.callee))
			for i := range s {
				base, cand := int64(10*ms), c.critical*ms
				if s[i].Change.Component == "gateway" {
					base, cand = ms, c.criticalOf*ms
				}
				s[i].Change.CriticalBaseNs, s[i].Change.CriticalCandNs = &base, &cand
			}
			var got []string
			for _, f := range Find(s, defaults()) {
				got = append(got, f.Component+"."+f.Function)
			}
			expect.Slice(t, got, c.want, "findings")
		})
	}
}

// Messages between two components are one cause, that of the first of them which has any, whichever fragments wait for them; each is counted once.
func TestJoinEdges(t *testing.T) {
	reg := &registry{graph: graph{nodes: make(map[string]*node)}}
	message := func(subject string, ns float64) *costChange {
		g := step("here", subject, schema.Regressed, ns)
		reg.newCause(g, schema.Transit)
		reg.changes = append(reg.changes, g)
		return g
	}
	request, reply, other, lone := message("request", 500), message("reply", 300), message("other", 200), message("lone", 100)
	again := step("here", "again", schema.Regressed, 400) // of the cause of the request
	request.cause.addPart(again)
	first, callee := request.cause, &node{component: "io"}
	reg.nodes["a.f"] = &node{component: "a", waits: []*wait{
		{component: "db", messages: []*costChange{lone}}, // whose callee no trace has
		{component: "io", callee: callee, messages: []*costChange{{}, request, again, {}, reply}},
	}}
	reg.nodes["a.g"] = &node{component: "a", waits: []*wait{{component: "io", callee: callee, messages: []*costChange{reply, other, request}}}}
	reg.joinEdges()
	expect.Slice(t, reg.causes, []*cause{first, lone.cause}, "causes")
	expect.Equal(t, first.edge, edge{"a", "io"}, "edge")
	expect.Slice(t, first.parts, []*costChange{request, again, reply, other}, "messages of the edge")
	expect.Equal(t, reply.cause == first && other.cause == first, true, "their cause")
	expect.Equal(t, lone.cause.edge, edge{}, "edge without a callee")
}
