package reconcile_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tracelake/tracelake/pipeline/reconcile"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/checks/ccsl"
	"github.com/tracelake/tracelake/stages/clocks/reconciliation"
	"github.com/tracelake/tracelake/testdata/expect"
)

// The clock of the base is about 10 s ahead. A message of the robot, sent at 2 ms, is received at 10.004 s; the answer,
// sent at 10.005 s, is received at 6 ms. So the base is ahead by at least 9.999 s and at most 10.002 s: 10.0005 s is in
// the middle, and both messages then take 1.5 ms.
const (
	pingRobot = "0.001 main > f\n0.002 main > say !m1\n0.002 main < say\n0.006 main > hear ?m2\n0.006 main < hear\n0.007 main < f\n"
	pingBase  = "10.001 main > idle\n10.004 main < idle\n10.004 main > hear ?m1\n10.005 main < hear !m2\n"
)

func TestPingPong(t *testing.T) {
	j := two(t, pingRobot, pingBase)
	o := reconciled(t, j)
	told(t, j.Lake, "both", `
500000 base.main.idle>
1000000 robot.main.f>
2000000 robot.main.say>!m1
2000000 robot.main.say<
3500000 base.main.idle<
3500000 base.main.hear>?m1
4500000 base.main.hear<!m2
6000000 robot.main.hear>?m2
6000000 robot.main.hear<
7000000 robot.main.f<`)
	if o.Run.Messages != 2 || o.Run.Components != 2 || o.Run.Format != "reconciled" || o.Run.Source != "robot=r1 base=b1" || len(o.Losses) > 0 || len(o.Alone) > 0 {
		t.Errorf("%+v %+v", o.Run, o)
	}
	same(t, rows[occurrence](t, j.Lake, "occurrences", "both"),
		"messages: robot:!m[1]@2 causes base:?m[1]@5", "messages: base:!m[1]@6 causes robot:?m[1]@7")
	b := rows[schema.ClockBound](t, j.Lake, "clock_bounds", "both")
	if len(b) != 2 || b[0].Unit != "base" || b[0].Reference != "robot" || b[0].OffsetNs != -10_000_500_000 || b[0].OriginNs != 10_004_000_000 ||
		!b[0].Used || b[0].Forth != 1 || b[0].Back != 1 || *b[0].GapNs != 3_000_000 || b[0].Moved != 0 || b[1].Unit != "robot" || b[1].Reference != "robot" {
		t.Errorf("%+v", b)
	}
}

func same[T fmt.Stringer](t *testing.T, got []T, want ...string) {
	t.Helper()
	var lines []string
	for _, g := range got {
		lines = append(lines, g.String())
	}
	expect.Slice(t, lines, want, "rows")
}

// TestCorrect has a clock that stops for 3 ms between two answers, which no offset and no drift explains: the corrections
// are least, the order is that of causes and effects, and without correction only the times are others.
func TestCorrect(t *testing.T) {
	robot := "0.000 main > f !m1\n0.002 main < f ?m2\n0.010 main > f !m3\n0.012 main < f ?m4\n0.020 main > f !m5\n0.022 main < f ?m6\n"
	base := "5.001 main > g ?m1\n5.001 main < g !m2\n5.014 main > g ?m3\n5.014 main < g !m4\n5.021 main > g ?m5\n5.021 main < g !m6\n"
	j := two(t, robot, base)
	o := reconciled(t, j)
	corrected := story(t, j.Lake, "both")
	for _, r := range rows[occurrence](t, j.Lake, "occurrences", "both") {
		if *r.LeftSeq >= *r.RightSeq {
			t.Errorf("%v", r)
		}
	}
	b := o.Bounds[0]
	if b.Possible || b.Moved == 0 || o.Bounds[1].Moved == 0 || b.FarthestNs != o.Bounds[1].FarthestNs || len(o.Losses) > 0 {
		t.Errorf("%+v %+v", o.Bounds, o.Losses)
	}
	// The bounds contradict each other by -gap at the best line; half of that is left for each side, and half of it for
	// each of two corrections, and a nanosecond for the order to be seen.
	if most := (-*b.GapNs/2+1)/2 + 2; b.FarthestNs > most {
		t.Errorf("the largest correction is %d, more than %d", b.FarthestNs, most)
	}
	j.Name, j.Correct = "plain", false
	o = reconciled(t, j)
	plain := story(t, j.Lake, "plain")
	for i := range plain {
		_, a, _ := strings.Cut(plain[i], " ")
		if _, b, _ := strings.Cut(corrected[i], " "); a != b {
			t.Errorf("event %d is %s, and %s with correction", i, plain[i], corrected[i])
		}
	}
	if o.Bounds[0].Moved != 0 || len(o.Losses) == 0 || o.Run.Messages != 6 {
		t.Errorf("%+v %+v", o.Bounds[0], o.Losses)
	}
}

// TestApart has identifiers that both units use for messages of their own, and one for a request and its
// reply. The request takes 1 ms and the reply 2 ms by clocks that are even, so that the base's is 0.5 ms behind.
func TestApart(t *testing.T) {
	robot := "0.001 main > f !m1\n0.002 aux > f ?m1\n0.003 aux < f\n0.004 main < f\n0.005 main > ask !q7\n0.009 main < ask ?q7\n0.010 only > h\n0.011 only < h\n"
	base := "0.001 main > f !m1\n0.002 aux > f ?m1\n0.003 aux < f\n0.004 main < f\n0.006 aux > ask ?q7\n0.007 aux < ask !q7\n"
	j := two(t, robot, base)
	o := reconciled(t, j)
	told(t, j.Lake, "both", `
1000000 robot.main.f>!robot.m1
1500000 base.main.f>!base.m1
2000000 robot.aux.f>?robot.m1
2500000 base.aux.f>?base.m1
3000000 robot.aux.f<
3500000 base.aux.f<
4000000 robot.main.f<
4500000 base.main.f<
5000000 robot.main.ask>!q7
6500000 base.aux.ask>?q7
7500000 base.aux.ask<!q7
9000000 robot.main.ask<?q7
10000000 only.h>
11000000 only.h<`)
	if o.Run.Messages != 4 || o.Ambiguous != 0 {
		t.Errorf("%+v", o)
	}
}

const robotSpec = `ClockConstraintSystem robot { imports {} entryBlock main
	Block main {
		Clock TheLightSensor1  Clock sendLightSensorData1  Clock sendLightSensorData2
		Clock receiveLightSensorData  Clock sendMoveCommand  Clock receiveMoveCommand
		Expression sent = Union(Clock1 -> sendLightSensorData1, Clock2 -> sendLightSensorData2)
		Relation eq1a [Coincides] (Clock1 -> TheLightSensor1, Clock2 -> sendLightSensorData1)
		Relation eq1b [Causes] (LeftClock -> sendMoveCommand, RightClock -> receiveMoveCommand)
		Relation eq1c [Precedes] (LeftClock -> sent, RightClock -> receiveLightSensorData)
	} }`

func specOf(t *testing.T, text string) *ccsl.Spec {
	t.Helper()
	spec := expect.Value(ccsl.ReadExtended(fstest.MapFS{"r.extendedCCSL": {Data: []byte(text)}}, "r.extendedCCSL", ccsl.Dialect{}))(t)
	return spec
}

// calls is a trace in which functions are called one after the other, each at a millisecond.
func calls(startMs int, functions ...string) string {
	var b strings.Builder
	for i, f := range functions {
		fmt.Fprintf(&b, "%.4f main > %s\n%.4f main < %s\n", float64(startMs+i)/1e3, f, (float64(startMs+i)+0.5)/1e3, f)
	}
	return b.String()
}

func robotJob(t *testing.T) reconcile.Job {
	j := two(t, calls(1000, "boot", "sendLightSensorData1", "x", "x", "sendLightSensorData2", "x", "receiveMoveCommand", "x", "sendLightSensorData1"),
		calls(7, "receiveLightSensorData", "sendMoveCommand", "receiveLightSensorData", "x", "x", "receiveLightSensorData"))
	j.Units[1].Name = "jvm"
	j.Messages, j.Spec = false, specOf(t, robotSpec)
	return j
}

// TestRobot is the example of the paper: see TestRobot of package reconciliation for what it must come to. Sequence numbers
// are of enters, every second event.
func TestRobot(t *testing.T) {
	j := robotJob(t)
	o := reconciled(t, j)
	if len(o.Unresolved) > 0 || len(o.Losses) > 0 || len(o.Constraints) != 4 {
		t.Errorf("%+v", o)
	}
	var order []string
	for _, line := range story(t, j.Lake, "both") {
		if _, event, _ := strings.Cut(line, " "); strings.HasSuffix(event, ">") {
			order = append(order, strings.TrimSuffix(event, ">"))
		}
	}
	seq := func(event string, nth int) int64 {
		at := int64(-1)
		all := story(t, j.Lake, "both")
		for i, line := range all {
			if _, e, _ := strings.Cut(line, " "); e == event+">" {
				if nth--; nth == 0 {
					at = int64(i)
				}
			}
		}
		return at
	}
	s1, s2, recv := "robot.main.sendLightSensorData1", "robot.main.sendLightSensorData2", "jvm.main.receiveLightSensorData"
	same(t, rows[occurrence](t, j.Lake, "occurrences", "both"),
		fmt.Sprintf("main::sent: main::sent[1]@%d coincides main::sendLightSensorData1[1]@%d", seq(s1, 1), seq(s1, 1)),
		fmt.Sprintf("main::sent: main::sent[3]@%d coincides main::sendLightSensorData1[2]@%d", seq(s1, 2), seq(s1, 2)),
		fmt.Sprintf("main::sent: main::sent[2]@%d coincides main::sendLightSensorData2[1]@%d", seq(s2, 1), seq(s2, 1)),
		fmt.Sprintf("main::eq1a: main::TheLightSensor1[1]@%d coincides main::sendLightSensorData1[1]@%d", seq(s1, 1), seq(s1, 1)),
		fmt.Sprintf("main::eq1a: main::TheLightSensor1[2]@%d coincides main::sendLightSensorData1[2]@%d", seq(s1, 2), seq(s1, 2)),
		fmt.Sprintf("main::eq1b: main::sendMoveCommand[1]@%d causes main::receiveMoveCommand[1]@%d", seq("jvm.main.sendMoveCommand", 1), seq("robot.main.receiveMoveCommand", 1)),
		fmt.Sprintf("main::eq1c: main::sent[1]@%d precedes main::receiveLightSensorData[1]@%d", seq(s1, 1), seq(recv, 1)),
		fmt.Sprintf("main::eq1c: main::sent[2]@%d precedes main::receiveLightSensorData[2]@%d", seq(s2, 1), seq(recv, 2)),
		fmt.Sprintf("main::eq1c: main::sent[3]@%d precedes main::receiveLightSensorData[3]@%d", seq(s1, 2), seq(recv, 3)))
	if seq(s1, 1) >= seq(recv, 1) || seq(s2, 1) >= seq(recv, 2) || seq(s1, 2) >= seq(recv, 3) {
		t.Errorf("the order is %v", order)
	}
}

// TestAssert checks the reconciled run against the specification that made it, and one unit against what it breaks.
func TestAssert(t *testing.T) {
	j := robotJob(t)
	reconciled(t, j)
	check := reconcile.Check{Lake: j.Lake, Run: "both", Spec: j.Spec, Bindings: map[string]string{"TheLightSensor1": "sendLightSensorData1>"}}
	all := expect.Value(reconcile.Assert(t.Context(), check))(t)
	for _, a := range all {
		expect.Equal(t, a.Outcome, ccsl.Holds, "%+v", a)
	}
	check.Spec, check.Bindings = specOf(t, strings.Replace(robotSpec, "LeftClock -> sent, RightClock -> receiveLightSensorData", "LeftClock -> receiveLightSensorData, RightClock -> sent", 1)), nil
	check.Silent = true // TheLightSensor1 is bound to nothing now, and what it takes part in is not checked
	all = expect.Value(reconcile.Assert(t.Context(), check))(t)
	if all[3].Outcome != ccsl.Violated || !strings.HasPrefix(story(t, j.Lake, "both")[all[3].Seq], fmt.Sprint(all[3].TimeNs)+" robot.main.sendLightSensorData1>") {
		t.Errorf("%+v", all)
	}
}

// TestWhatClocksAreBoundTo checks what a clock may be bound to: patterns of functions and components, series and labels of messages; and that
// a binding to nothing is an error that names what there is.
func TestWhatClocksAreBoundTo(t *testing.T) {
	j := two(t, "0.001 a > fetch !m1\n0.002 a < fetch\n0.003 ab > give\n0.004 ab < give\n", "5 b > hear ?m1\n6 b < hear\n")
	spec := specOf(t, `ClockConstraintSystem c { imports {} entryBlock s Block s { Clock x Clock y Relation a [Causes] (LeftClock -> x, RightClock -> y) } }`)
	check := reconcile.Check{Lake: j.Lake, Run: j.Units[0].Run, Spec: spec}
	for binding, want := range map[string]string{
		"fetch>": "", "a.fetch>": "", "a.*>": "", "a?.g*<": "", "*>": "", "!m": "", "!*": "", "a.fetch<": "",
		"a.give>": "the clock s::x never ticks: run r1 has no event a.give>; it has ab.give",
		"fetsch>": "the clock s::x never ticks: run r1 has no event fetsch>",
		"Fetch>":  "the clock s::x never ticks: run r1 has no event Fetch>; it has a.fetch",
		"?m":      "the clock s::x never ticks: run r1 has no event ?m; it has m",
		"z*.f>":   "the clock s::x never ticks: run r1 has no event z*.f>",
	} {
		check.Bindings, check.Silent = map[string]string{"x": binding, "y": "*<"}, false
		_, err := reconcile.Assert(t.Context(), check)
		if got := fmt.Sprint(err); want != "" && !strings.HasPrefix(got, want) || want == "" && err != nil {
			t.Errorf("x=%s: %s; want %q", binding, got, want)
		}
		if want != "" && !errors.As(err, new(*reconcile.NothingError)) {
			t.Errorf("x=%s: %v is another error", binding, err)
		}
		check.Silent = true
		expect.Value(reconcile.Assert(t.Context(), check))(t)
	}
	// A clock that is bound by its name alone, which the run lacks.
	check.Bindings, check.Silent = map[string]string{"x": "fetch>"}, false
	if _, err := reconcile.Assert(t.Context(), check); err == nil || !strings.Contains(err.Error(), "the clock s::y never ticks: run r1 has no event y>") {
		t.Errorf("the clock without a binding: %v", err)
	}
	// Where units are ordered, bindings name them.
	j.Spec, j.Bindings = spec, map[string]string{"x": "robot:fetch>", "y": "base:Hear>"}
	if _, err := reconcile.Run(t.Context(), j); err == nil || !strings.Contains(err.Error(), "the clock s::y never ticks: run b1 has no event Hear>; it has b.hear") {
		t.Errorf("a binding of a unit: %v", err)
	}
}

// TestContradiction sends a message twice round.
func TestContradiction(t *testing.T) {
	j := two(t, "0.001 a > f ?m2\n0.002 a < f !m1\n", "0.001 b > f ?m1\n0.002 b < f !m2\n")
	_, err := reconcile.Run(t.Context(), j)
	var c *reconciliation.Contradiction
	if !errors.As(err, &c) || len(c.Steps) != 4 || !strings.Contains(err.Error(), "base:!m[1] of base before or with robot:?m[1] of robot (messages); event 0 of robot, at 1000000 ns, before its event 1, at 2000000 ns (its trace)") {
		t.Errorf("the error is %v", err)
	}
	if all, err := j.Lake.Partitions("run"); err != nil || len(all) != 2 {
		t.Errorf("there are the runs %v, %v", all, err)
	}
}

// TestSame permutes the units and shifts a clock: the order stays, and with the reference the times.
func TestSame(t *testing.T) {
	robot, base := pingRobot, pingBase
	j := two(t, robot, base)
	reconciled(t, j)
	want := story(t, j.Lake, "both")
	j.Units[0], j.Units[1] = j.Units[1], j.Units[0]
	j.Name, j.Reference = "turned", "robot"
	reconciled(t, j)
	expect.Slice(t, story(t, j.Lake, "turned"), want, "with the units turned round")
	j = two(t, robot, strings.ReplaceAll(base, "10.", "1700000010."))
	reconciled(t, j)
	expect.Slice(t, story(t, j.Lake, "both"), want, "with a clock of 1970")
}

// TestAlone has a unit that nothing connects.
func TestAlone(t *testing.T) {
	j := two(t, pingRobot, pingBase)
	ingested(t, j.Lake, "x1", "0.003 x > f\n0.004 x < f\n")
	j.Units = append(j.Units, reconcile.Unit{Name: "x", Run: "x1"})
	o := reconciled(t, j)
	if fmt.Sprint(o.Alone) != "[x]" || len(o.Bounds) != 3 || o.Bounds[2].Unit != "x" && o.Bounds[1].Unit != "x" {
		t.Errorf("%+v", o)
	}
	if !slices.Contains(story(t, j.Lake, "both"), "3000000 x.f>") {
		t.Errorf("%v", story(t, j.Lake, "both"))
	}
}

// TestBindings binds clocks to exits and to messages.
func TestBindings(t *testing.T) {
	j := two(t, pingRobot, pingBase)
	j.Messages, j.Spec = false, specOf(t, `ClockConstraintSystem s { imports {} entryBlock main Block main { Clock out Clock in Clock end Clock hear
		Relation a [Precedes] (LeftClock -> out, RightClock -> in) Relation b [Causes] (LeftClock -> in, RightClock -> end) } }`)
	j.Bindings = map[string]string{"out": "robot:!m", "in": "base:?m", "end": "robot:main.f<", "main::hear": "base:hear>"}
	o := reconciled(t, j)
	same(t, rows[occurrence](t, j.Lake, "occurrences", "both"), "main::a: main::out[1]@2 precedes main::in[1]@5", "main::b: main::in[1]@5 causes main::end[1]@9")
	if len(o.Constraints) != 2 || o.Constraints[0].Relations != 1 {
		t.Errorf("%+v", o.Constraints)
	}
}

// TestAnyEvent binds a clock to all events of a unit, the paper's Trace1: the k-th receipt of the base comes after the k-th of any.
func TestAnyEvent(t *testing.T) {
	j := two(t, pingRobot, pingBase)
	j.Messages, j.Spec = false, specOf(t, `ClockConstraintSystem s { imports {} entryBlock m Block m { Clock Trace1 Clock in
		Relation a [Precedes] (LeftClock -> Trace1, RightClock -> in) } }`)
	j.Bindings = map[string]string{"Trace1": "robot:*", "in": "base:?m"}
	o := reconciled(t, j)
	if got := rows[occurrence](t, j.Lake, "occurrences", "both"); len(got) != 1 || !strings.Contains(got[0].String(), "m::Trace1[1]@1 precedes m::in[1]@3") || o.Constraints[0].Missing != 0 {
		t.Errorf("%v %+v", got, o.Constraints)
	}
	again, err := reconcile.Assert(t.Context(), reconcile.Check{Lake: j.Lake, Run: "r1", Spec: specOf(t, `ClockConstraintSystem s { imports {} entryBlock m Block m { Clock all Clock hear
		Relation a [SubClock] (LeftClock -> hear, RightClock -> all) } }`), Bindings: map[string]string{"all": "*"}})
	if err != nil || again[0].Outcome != ccsl.Holds {
		t.Errorf("%+v %v", again, err)
	}
}

// TestLater binds a clock to a function of one of two components, and has a tick that is no event: the later one of two,
// which has no sequence number. It ties the clocks all the same: b.f comes before c.h.
func TestLater(t *testing.T) {
	j := two(t, "0.001 a > f\n0.002 a < f\n0.003 b > f\n0.004 b < f\n", "0.001 c > g\n0.002 c < g\n0.003 c > h\n0.004 c < h\n")
	j.Messages, j.Spec = false, specOf(t, `ClockConstraintSystem s { imports {} entryBlock m Block m { Clock f Clock g Clock h
		Expression both = Sup(Clock1 -> f, Clock2 -> g) Relation r [Precedes] (LeftClock -> both, RightClock -> h) } }`)
	j.Bindings = map[string]string{"f": "robot:b.f>"}
	o := reconciled(t, j)
	story := story(t, j.Lake, "both")
	at := func(event string) (seq int) {
		return slices.IndexFunc(story, func(line string) bool { return strings.HasSuffix(line, " "+event) })
	}
	same(t, rows[occurrence](t, j.Lake, "occurrences", "both"), fmt.Sprintf("m::both: m::f[1]@%d causes m::both[1]@-", at("b.f>")),
		fmt.Sprintf("m::both: m::g[1]@%d causes m::both[1]@-", at("c.g>")), fmt.Sprintf("m::r: m::both[1]@- precedes m::h[1]@%d", at("c.h>")))
	if at("b.f>") > at("c.h>") || len(o.Unresolved) != 1 || len(o.Alone) > 0 || o.Bounds[0].Back != 1 {
		t.Errorf("%v %+v", story, o)
	}
}

// TestPaths binds a clock by the innermost unit in its path; another unit has a function of that name, too.
func TestPaths(t *testing.T) {
	j := two(t, calls(1, "tick", "tick"), calls(1, "tick", "tick"))
	j.Messages, j.Spec = false, specOf(t, `ClockConstraintSystem s { imports {} entryBlock robot
		Block robot { Clock tick Block base { Clock tick Clock x Relation r [Precedes] (LeftClock -> x, RightClock -> tick) } } }`)
	j.Bindings = map[string]string{"x": "robot:tick>"}
	reconciled(t, j)
	same(t, rows[occurrence](t, j.Lake, "occurrences", "both"), "robot::base::r: robot::base::x[1]@0 precedes robot::base::tick[1]@1",
		"robot::base::r: robot::base::x[2]@4 precedes robot::base::tick[2]@5")
	for i, want := range []string{0: "robot.main.tick>", 1: "base.main.tick>", 4: "robot.main.tick>", 5: "base.main.tick>"} {
		if got := story(t, j.Lake, "both")[i]; !strings.HasSuffix(got, want) {
			t.Errorf("event %d is %s", i, got)
		}
	}
}

// TestTogether has calls of two units that are one: they get one time, of which the largest correction is least.
func TestTogether(t *testing.T) {
	j := two(t, calls(1, "here", "x", "here", "here"), calls(101, "there", "there", "there"))
	j.Messages, j.Spec = false, specOf(t, `ClockConstraintSystem s { imports {} entryBlock main Block main { Clock here Clock there
		Relation r [Coincides] (Clock1 -> here, Clock2 -> there) } }`)
	reconciled(t, j)
	lines, all := story(t, j.Lake, "both"), rows[occurrence](t, j.Lake, "occurrences", "both")
	for _, o := range all {
		left, _, _ := strings.Cut(lines[*o.LeftSeq], " ")
		right, _, _ := strings.Cut(lines[*o.RightSeq], " ")
		if left != right || o.Relation != "coincides" {
			t.Errorf("%v: %s, %s", o, left, right)
		}
	}
	expect.Equal(t, len(all), 3, "outcomes %+v", all)
	check := reconcile.Check{Lake: j.Lake, Run: "both", Spec: j.Spec}
	apart, err := reconcile.Assert(t.Context(), check)
	check.Together = true
	together, failed := reconcile.Assert(t.Context(), check)
	if err != nil || failed != nil || apart[0].Outcome != ccsl.Violated || together[0].Outcome != ccsl.Holds {
		t.Errorf("%+v %v, %+v %v", apart, err, together, failed)
	}
}

// TestInvented leaves out what the ingest of a unit had invented, and invents what the whole lacks. Positions are those
// of the events that are left: the message is received by the second event of the base. It is the only one, so that nothing
// says that it takes any time, but for the nanoseconds by which times that are rounded show that it is sent before it is received.
func TestInvented(t *testing.T) {
	j := two(t, "0.001 main < early\n0.002 main > f !m1\n0.003 main < f\n", "0.001 main > g\n0.002 main > h ?m1\n0.003 main < h !m2\n")
	o := reconciled(t, j)
	told(t, j.Lake, "both", `
1000000 robot.main.early> (invented)
1000000 robot.main.early<
1000003 base.main.g>
2000000 robot.main.f>!m1
2000003 base.main.h>?m1
3000000 robot.main.f<
3000003 base.main.h<!m2
3000003 base.main.g< (invented)`)
	expect.Equal(t, o.Run.Messages, 1, "messages of %+v", o.Run)
}

// TestFresh checks that a run is fresh only if it was made of the same units in the same way.
func TestFresh(t *testing.T) {
	j := two(t, pingRobot, pingBase)
	reconciled(t, j)
	if o, err := reconcile.Run(t.Context(), j); o != nil || err != nil {
		t.Errorf("not fresh: %+v, %v", o, err)
	}
	j.Correct = false
	if reconciled(t, j) == nil {
		t.Error("fresh with another option")
	}
}

func TestRefusals(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*reconcile.Job)
		words  string
	}{
		"one unit":     {func(j *reconcile.Job) { j.Units = j.Units[:1] }, "at least two"},
		"same names":   {func(j *reconcile.Job) { j.Units[1].Name = "robot" }, "two units have the name robot"},
		"its own unit": {func(j *reconcile.Job) { j.Name = "r1" }, "would replace the unit robot"},
		"no reference": {func(j *reconcile.Job) { j.Reference = "x" }, "x is no unit"},
		"nothing":      {func(j *reconcile.Job) { j.Messages, j.Spec = false, nil }, "nothing orders"},
		"no run":       {func(j *reconcile.Job) { j.Units[0].Run = "x" }, "no run x"},
		"unknown":      {func(j *reconcile.Job) { j.Bindings = map[string]string{"x": "robot:f>"} }, "no clock x"},
		"bad binding":  {func(j *reconcile.Job) { j.Bindings = map[string]string{"hear": "robot:f"} }, "followed by > where it is entered"},
		"bad unit":     {func(j *reconcile.Job) { j.Bindings = map[string]string{"hear": "x:f>"} }, "x is no unit"},
		"two have it":  {func(*reconcile.Job) {}, "the clock main::hear ticks in the units robot and base: bind it to one of them, as in hear=robot:COMPONENT.hear>"},
		"nobody":       {func(j *reconcile.Job) { j.Bindings = map[string]string{"hear": "robot:hear>"} }, "no unit has a function gone for the clock main::gone: bind it"},
	} {
		j := two(t, pingRobot, pingBase)
		j.Spec = specOf(t, `ClockConstraintSystem s { imports {} entryBlock main Block main { Clock hear Clock gone Relation a [Precedes] (LeftClock -> hear, RightClock -> gone) } }`)
		c.change(&j)
		if j.Spec == nil {
			j.Bindings = nil
		}
		_, err := reconcile.Run(t.Context(), j)
		expect.Refused(t, err, c.words, "%s: the error", name)
	}
}
