package rootcause

import (
	"slices"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// message is a part of the latency of so many messages per root execution.
func message(receiver, function, sender, part string, count, baseNs, candNs float64) Subject {
	c := &schema.Change{Level: schema.LevelMessage, Component: receiver, Function: function, Peer: sender, Metric: part, Subject: part + " of " + function + " from " + sender}
	return judged(Subject{Change: c}, &Run{baseNs, count}, &Run{candNs, count})
}

// arriving lengthens what a component waits in, with what it waits for left as it is.
func arriving(subjects []Subject, ns float64, names ...string) {
	for i := range subjects {
		s := &subjects[i]
		for _, name := range names {
			if s.Change.Fragment+": "+s.Change.Subject != name {
				continue
			}
			again := Subject{Change: s.Change, Awaited: s.Awaited, Function: s.Function, Initial: s.Initial}
			base, cand := meanOfRuns(s.Base, nil), meanOfRuns(s.Cand, nil)
			cand.CostNs += ns
			rank := s.Change.Rank
			*s = judged(again, &base, &cand)
			s.Change.Rank = rank
		}
	}
}

// Messages to the leaf take 1 ms longer each on their way: who waits for the leaf waits longer, the leaf does not.
func TestTransitIsARoot(t *testing.T) {
	s := compare(chainOfThree(), chainOfThree())
	arriving(s, 4*ms, "lib.solve from app: exit io.poll", "lib.solve from app: lib.solve from app", "app.main: exit lib.solve", "app.main: app.main")
	s = append(s, message("io", "poll", "lib", schema.Transit, 4, .1*ms, 4.1*ms))
	finds(t, s, "1 regressed transit io.poll +4000000 share 1.00, 4 inherited, io.poll < lib.solve < app.main")
	none(t, s)
}

// The same for the way back.
func TestTransitOfReplies(t *testing.T) {
	s := compare(chainOfThree(), chainOfThree())
	arriving(s, 4*ms, "lib.solve from app: exit io.poll", "lib.solve from app: lib.solve from app", "app.main: exit lib.solve", "app.main: app.main")
	s = append(s, message("lib", "poll", "io", schema.Transit, 4, .1*ms, 4.1*ms))
	finds(t, s, "1 regressed transit lib.poll +4000000 share 1.00, 4 inherited, lib.solve < app.main")
}

// The caller has another name for the call than the function that receives it, as spans have: replies bear the name that the caller
// has, requests the other, and both belong to the wait.
func TestCallsUnderTheNameOfTheCaller(t *testing.T) {
	for _, function := range []string{"poll", "ask for events"} {
		receiver, sender := "io", "lib"
		if function != "poll" {
			receiver, sender = sender, receiver
		}
		s := compare(chainOfThree(), chainOfThree())
		for i := range s {
			if c := s[i].Change; s[i].Awaited == "io.poll" {
				c.Function, c.Kind, c.Direction = "ask for events", schema.KindWords[schema.Exit], schema.DirectionWords[schema.Receive]
			}
		}
		arriving(s, 4*ms, "lib.solve from app: exit io.poll", "lib.solve from app: lib.solve from app", "app.main: exit lib.solve", "app.main: app.main")
		s = append(s, message(receiver, function, sender, schema.Transit, 4, .1*ms, 4.1*ms))
		way := "lib.solve < app.main"
		if receiver == "io" {
			way = "io.poll < " + way
		}
		finds(t, s, "1 regressed transit "+receiver+"."+function+" +4000000 share 1.00, 4 inherited, "+way)
	}
}

// A wait whose callee no trace shows is a root, unless critical paths are known and never go through it: then they go through what
// is awaited, which the trace has under another name.
func TestWaitsOffCriticalPathsAreNoCauses(t *testing.T) {
	unseen := func(pollNs float64) program {
		return program{[]string{"app.main"}, map[string]work{"app.main": own(5*ms).calling("net.poll", 1), "net.poll": own(pollNs)}}
	}
	for _, c := range []struct {
		ns   *int64 // on critical paths
		want []string
	}{{nil, []string{"1 regressed slower app.poll +3000000 share 1.00, 1 inherited, app.main"}}, {whole(0), nil}} {
		s := slices.DeleteFunc(compare(unseen(2*ms), unseen(5*ms)), func(s Subject) bool { return s.Change.Component == "net" })
		for i := range s {
			if s[i].Awaited != "" {
				s[i].Change.CriticalBaseNs, s[i].Change.CriticalCandNs = c.ns, c.ns
			}
		}
		var found []string
		for _, line := range told(Find(s, defaults())) {
			if !strings.Contains(line, schema.KindDiffuse) {
				found = append(found, line)
			}
		}
		expect.Slice(t, found, c.want, "findings")
	}
}

// queue is a server that has a job to do and also serves the caller.
func queue(jobNs float64) program {
	return program{[]string{"app.main", "server.job"}, map[string]work{
		"app.main":   own(50*ms).calling("server.get", 3),
		"server.get": own(.2 * ms),
		"server.job": own(jobNs),
	}}
}

// The receiver is late because a job of its own takes longer: that is the finding, and the waits follow from it.
func TestLatenessOfABusyReceiver(t *testing.T) {
	s := compare(queue(2*ms), queue(9*ms))
	arriving(s, 6*ms, "app.main: exit server.get", "app.main: app.main")
	s = append(s, message("server", "get", "app", schema.Lateness, 3, 1*ms, 7*ms))
	finds(t, s, "1 regressed slower server.job +7000000 share 1.00, 4 inherited, server.job")
	none(t, s)
}

// It is late for a reason that the trace does not tell.
func TestLatenessThatNothingExplains(t *testing.T) {
	s := compare(queue(2*ms), queue(2*ms))
	arriving(s, 6*ms, "app.main: exit server.get", "app.main: app.main")
	s = append(s, message("server", "get", "app", schema.Lateness, 3, 1*ms, 7*ms))
	finds(t, s, "1 regressed lateness server.get +6000000 share 1.00, 2 inherited, server.get < app.main")
}

// Three messages wait for a job at most three times: 100 us more of it do not explain 6 ms, nor 0.9 ms, which are less than half of them. 1.1 ms do.
func TestASmallJobDoesNotExplainGreatLateness(t *testing.T) {
	for _, c := range []struct {
		slower float64 // ms
		late   bool    // lateness is a finding of its own
	}{{.1, true}, {.9, true}, {1.1, false}} {
		s := compare(queue(1*ms), queue((1+c.slower)*ms))
		s = append(s, message("server", "get", "app", schema.Lateness, 3, 1*ms, 7*ms))
		if f := Find(s, defaults()); c.late != (len(f) == 2 && f[0].Kind == schema.KindLateness) || !c.late && len(f) != 1 {
			t.Errorf("a job takes %g ms longer: got %v", c.slower, told(f))
		}
	}
}

// Metrics and parts of critical paths follow from the finding; so does the time for which another component is down.
func TestMetricsAndPathsAreFolded(t *testing.T) {
	p := chainOfThree()
	p.functions["app.main"] = p.functions["app.main"].calling("db.read", 1)
	p.functions["db.read"] = own(4 * ms)
	s := compare(p, p.with("io.poll", own(5.5*ms, .1*ms)))
	rows := []schema.Change{
		{Level: schema.LevelMetric, Component: "lib", Fragment: "lib.solve from app", Metric: "runtime"},
		{Level: schema.LevelMetric, Component: "lib", Metric: "blocked"},
		{Level: schema.LevelMetric, Component: "db", Metric: "component_down"},
		{Level: schema.LevelCriticalPath, Component: "io", Function: "poll", Fragment: "app.main"},
		{Level: schema.LevelCriticalPath, Component: "lib", Function: "poll", Fragment: "app.main"},
	}
	for i := range rows {
		rows[i].Subject = "row"
		s = append(s, judged(Subject{Change: &rows[i]}, &Run{5 * ms, 1}, &Run{25 * ms, 1}))
	}
	s = append(s, judged(Subject{Change: &schema.Change{Level: schema.LevelMetric, Component: "db", Metric: "component_up"}}, &Run{5 * ms, 1}, &Run{25 * ms, 1}))
	for _, metric := range []string{"component_up", "component_down"} { // of these, one follows
		c := &schema.Change{Level: schema.LevelMetric, Component: "io", Metric: metric, Subject: metric}
		s = append(s, judged(Subject{Change: c}, &Run{5 * ms, 1}, &Run{25 * ms, 1}))
	}
	finds(t, s, "1 regressed slower io.poll +20000000 share 1.00, 11 inherited, io.poll < lib.solve < app.main")
	left := open(s)
	expect.Equal(t, len(left), 2, "open: %v", left)
}

// What nobody waits for has no share in what initial fragments take.
func TestNoShareOfWhatNobodyWaitsFor(t *testing.T) {
	p := queue(2 * ms)
	slow := p.with("app.main", own(60*ms).calling("server.get", 3))
	s := compare(p, slow)
	apart := &schema.Change{Level: schema.LevelTransition, Component: "log", Fragment: "log.write from app", Subject: "step"}
	s = append(s, judged(Subject{Change: apart, Function: "write"}, &Run{1 * ms, 1}, &Run{4 * ms, 1}))
	finds(t, s,
		"1 regressed slower app.main +10000000 share 1.00, 1 inherited, app.main",
		"2 regressed slower log.write +3000000 share -, 0 inherited, log.write")
}

// Either part of a name may have points in it.
func TestNamesWithPoints(t *testing.T) {
	p := chainOfThree()
	s := compare(p, p.with("io.poll", own(5.5*ms, .1*ms)))
	for i := range s {
		c := s[i].Change
		if c.Component == "io" {
			c.Component = "src.io"
		}
		if c.Fragment == "io.poll from lib" {
			c.Fragment = "src.io.poll from lib"
		}
		if s[i].Awaited == "io.poll" {
			s[i].Awaited = "src.io.poll"
		}
	}
	finds(t, s, "1 regressed slower src.io.poll +20000000 share 1.00, 5 inherited, src.io.poll < lib.solve < app.main")
}
