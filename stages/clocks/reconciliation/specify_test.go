package reconciliation

import (
	"testing"

	"github.com/tracelake/tracelake/stages/checks/ccsl"
	"github.com/tracelake/tracelake/testdata/expect"
)

// robot is (1a), (1b) and (1c) of the paper; in (1b) the sending is the cause.
const robot = `Specification robot {
	Clock TheLightSensor1, sendLightSensorData1, sendLightSensorData2, receiveLightSensorData, sendMoveCommand, receiveMoveCommand [
		Synchronizes TheLightSensor1 = sendLightSensorData1
		Precedence sendMoveCommand <= receiveMoveCommand
		Precedence sendLightSensorData1 + sendLightSensorData2 < receiveLightSensorData
	]
}`

// TestRobot is Fig. 5 and Fig. 7: in the trace of the robot sendLightSensorData1 are the second and the ninth event, by
// the filter 010000001, sendLightSensorData2 the fifth, by 000010000. So the union ticks at events 2, 5 and 9 (here 1, 4
// and 8, counted from 0); its first tick is the first of sendLightSensorData1, its second the first of
// sendLightSensorData2, its third the second of sendLightSensorData1: the red arrows. Each precedes the receipt of its
// number: the dotted arrows. The light sensor is in no trace, and ticks with the sending of its data (1a).
func TestRobot(t *testing.T) {
	spec := specify(t, robot)
	m := NewModel([]*Unit{
		trace(t, spec, "robot", ". sendLightSensorData1 . . sendLightSensorData2 . receiveMoveCommand . sendLightSensorData1"),
		trace(t, spec, "jvm", "receiveLightSensorData sendMoveCommand receiveLightSensorData . receiveLightSensorData"),
	})
	if id := m.Specify(spec); id >= 0 {
		t.Fatalf("%s is unbound", spec.Clocks[id].Name)
	}
	equal(t, dump(m), `
TheLightSensor1 = sendLightSensorData1: TheLightSensor1[1]@robot:1 coincides sendLightSensorData1[1]@robot:1
TheLightSensor1 = sendLightSensorData1: TheLightSensor1[2]@robot:8 coincides sendLightSensorData1[2]@robot:8
sendMoveCommand <= receiveMoveCommand: sendMoveCommand[1]@jvm:1 causes receiveMoveCommand[1]@robot:6
(sendLightSensorData1 or sendLightSensorData2): (sendLightSensorData1 or sendLightSensorData2)[1]@robot:1 coincides sendLightSensorData1[1]@robot:1
(sendLightSensorData1 or sendLightSensorData2): (sendLightSensorData1 or sendLightSensorData2)[3]@robot:8 coincides sendLightSensorData1[2]@robot:8
(sendLightSensorData1 or sendLightSensorData2): (sendLightSensorData1 or sendLightSensorData2)[2]@robot:4 coincides sendLightSensorData2[1]@robot:4
(sendLightSensorData1 or sendLightSensorData2) < receiveLightSensorData: (sendLightSensorData1 or sendLightSensorData2)[1]@robot:1 precedes receiveLightSensorData[1]@jvm:0
(sendLightSensorData1 or sendLightSensorData2) < receiveLightSensorData: (sendLightSensorData1 or sendLightSensorData2)[2]@robot:4 precedes receiveLightSensorData[2]@jvm:2
(sendLightSensorData1 or sendLightSensorData2) < receiveLightSensorData: (sendLightSensorData1 or sendLightSensorData2)[3]@robot:8 precedes receiveLightSensorData[3]@jvm:4`)
	if _, err := m.Arrange(); err != nil {
		t.Error(err)
	}
}

// TestRobotContradiction lets the move command that causes the second sending be sent after its receipt.
func TestRobotContradiction(t *testing.T) {
	spec := specify(t, robot)
	m := NewModel([]*Unit{
		trace(t, spec, "robot", "sendLightSensorData1 receiveMoveCommand sendLightSensorData2"),
		trace(t, spec, "jvm", "receiveLightSensorData . receiveLightSensorData sendMoveCommand"),
	})
	m.Specify(spec)
	_, err := m.Arrange()
	if err == nil {
		t.Fatal("there is an order")
	}
	equal(t, err.Error(), `the traces and what orders them contradict each other: `+
		`(sendLightSensorData1 or sendLightSensorData2)[2] of robot before receiveLightSensorData[2] of jvm ((sendLightSensorData1 or sendLightSensorData2) < receiveLightSensorData, main.lc:5:58); `+
		`event 2 of jvm, at 20 ns, before its event 3, at 30 ns (its trace); `+
		`sendMoveCommand[1] of jvm before or with receiveMoveCommand[1] of robot (sendMoveCommand <= receiveMoveCommand, main.lc:4:30); `+
		`event 1 of robot, at 10 ns, before its event 2, at 20 ns (its trace)`)
}

// TestAcross has expressions over two units: filters go by numbers, a bounded precedence looks back, the later of two
// ticks is known where the order says which it is, and unions have no order.
func TestAcross(t *testing.T) {
	spec := specify(t, `Specification s { Clock a, b, c, d [
		repeat u every 2 a from 1
		Precedence u < b
		Precedence a < (init: 0 max: 2) c
		Let s be sup(a, b)
		Precedence s <= d
		Let v be (a or b)
		Precedence v < d
		Exclusion a # b
		Exclusion b # a
	] }`)
	m := NewModel([]*Unit{trace(t, spec, "x", "a a a a"), trace(t, spec, "y", "b b"), trace(t, spec, "z", "c c d d")})
	if id := m.Specify(spec); id >= 0 {
		t.Fatalf("%s is unbound", spec.Clocks[id].Name)
	}
	a := expect.Value(m.Arrange())(t)
	a.Exclude()
	// Of the exclusion: u is a[2] and a[4], so that the ticks of a up to 2 come before both of b, and all of a before
	// b[2]: 4 + 2 pairs. a[3] and a[4] against b[1] are left.
	equal(t, dump(m), `
u: u[1]@x:1 coincides a[2]@x:1
u: u[2]@x:3 coincides a[4]@x:3
u < b: u[1]@x:1 precedes b[1]@y:0
u < b: u[2]@x:3 precedes b[2]@y:1
a < c: a[1]@x:0 precedes c[1]@z:0
a < c: a[2]@x:1 precedes c[2]@z:1
a < c: c[1]@z:0 precedes a[3]@x:2
a < c: c[2]@z:1 precedes a[4]@x:3
s: s[1] coincides b[1]@y:0
s: a[1]@x:0 causes s[1]
s: b[1]@y:0 causes s[1]
s: s[2] coincides b[2]@y:1
s: a[2]@x:1 causes s[2]
s: b[2]@y:1 causes s[2]
s <= d: s[1] causes d[1]@z:2
s <= d: s[2] causes d[2]@z:3
unresolved main.lc:7:15 v: its clocks tick in different units, and nothing says in which order: let each unit have a clock, or a relation, of its own
unresolved main.lc:8:16 v < d: its clock v is not known
unresolved main.lc:9:3 a # b: of two ticks one must come before the other, in either order (6 ordered, 2 not, 0 at once)
unresolved main.lc:10:3 b # a: of two ticks one must come before the other, in either order (6 ordered, 2 not, 0 at once)`)
}

// TestMissing has effects without a cause, a sub-clock that ticks alone, and a clock that is in no trace.
func TestMissing(t *testing.T) {
	spec := specify(t, `Specification s { Clock a, b, c [ Precedence a < b  SubClocking c <- a ] }`)
	m := NewModel([]*Unit{trace(t, spec, "x", "a a+c c"), trace(t, spec, "y", "b b b b")})
	m.Specify(spec)
	equal(t, dump(m), `
a < b: a[1]@x:0 precedes b[1]@y:0
a < b: a[2]@x:1 precedes b[2]@y:1
c <- a: c[1]@x:1 coincides a[2]@x:1
a < b: 2 missing, b[3] of y lacks a[3]
c <- a: 1 missing, c[2] of x lacks a[3]`)
	m = NewModel([]*Unit{trace(t, spec, "x", "a"), trace(t, spec, "y", "b")})
	if id := m.Specify(spec); id < 0 || spec.Clocks[id].Name != "c" {
		t.Errorf("the clock that is in no trace is %d", id)
	}
}

// What a bound demands is counted where it is lacking, by the number of the cause: the third a needs the first b, and the fourth the second.
func TestMissingByBound(t *testing.T) {
	spec := specify(t, `Specification s { Clock a, b [ Precedence a < (init: 0 max: 2) b ] }`)
	m := NewModel([]*Unit{trace(t, spec, "x", "a a a a a"), trace(t, spec, "y", "b")})
	m.Specify(spec)
	equal(t, dump(m), `
a < b: a[1]@x:0 precedes b[1]@y:0
a < b: b[1]@y:0 precedes a[3]@x:2
a < b: 2 missing, a[4] of x lacks b[2]`)
}

// An expression of one clock is that clock, also of one whose ticks are events of no trace.
func TestExpressionsOfOneClock(t *testing.T) {
	for _, same := range []string{"sup(s, s)", "inf(s, s)", "(s or s)", "(s and s)"} {
		spec := specify(t, `Specification t { Clock a, b, d [
			Let s be sup(a, b)
			Let w be `+same+`
			Precedence w <= d
		] }`)
		m := NewModel([]*Unit{trace(t, spec, "x", "a"), trace(t, spec, "y", "b"), trace(t, spec, "z", "d")})
		m.Specify(spec)
		last := m.Relations[len(m.Relations)-1]
		expect.Equal(t, m.Constraints[last.Constraint].Name, "w <= d", "the last relation")
		expect.Equal(t, last.Left.Instant, m.Relations[0].Right.Instant, "the instant of %s and of s", same)
	}
}

// TestUndecided has what goes by an order that is not known.
func TestUndecided(t *testing.T) {
	spec := specify(t, `Specification s { Clock a, b [ SubClocking a <- b  w = a $ 1 on b ] }`)
	m := NewModel([]*Unit{trace(t, spec, "x", "a a"), trace(t, spec, "y", "b b")})
	m.Specify(spec)
	equal(t, dump(m), `
unresolved main.lc:1:46 a <- b: its clocks tick in different units, and nothing says which ticks are one
unresolved main.lc:1:58 w: its clocks tick in different units, and nothing says in which order`)
}

// TestCounted evaluates filters and delays by numbers. The gaps 2;1(2) select ticks 2, 3, 5, 7, ...; delays of 2, 1 and 0
// ticks, then none, all come due with the third tick, as one.
func TestCounted(t *testing.T) {
	of := []int32{10, 11, 12, 13, 14, 15}
	for _, c := range []struct{ got, want []int32 }{
		{filterTicks(of, ccsl.Sequence{Prefix: []int64{2, 1}, Period: []int64{2}}), []int32{11, 12, 14}},
		{filterTicks(of, ccsl.Sequence{Prefix: []int64{1}}), []int32{10}},
		{filterTicks(of, ccsl.Sequence{Prefix: []int64{6}, Period: []int64{0}}), []int32{15}},
		{delayTicks(of, ccsl.Sequence{Prefix: []int64{2, 1, 0}}), []int32{12}},
		{delayTicks(of, ccsl.Sequence{Period: []int64{4}}), []int32{14, 15}},
	} {
		expect.Slice(t, c.got, c.want, "rows")
	}
}

// TestAssertTells names the event at which a constraint is violated: the third b comes after two of a.
func TestAssertTells(t *testing.T) {
	spec := specify(t, `Specification s { Clock a, b [ Precedence a < b ] }`)
	v := Assert(spec, trace(t, spec, "x", "a . a b b b"), false)
	if v[0].Outcome != ccsl.Violated || v[0].Event != 4 {
		t.Errorf("%+v", v)
	}
	if v = Assert(spec, trace(t, spec, "x", "a b"), false)[:1]; v[0].Outcome != ccsl.Holds || v[0].Event != NoInstant {
		t.Errorf("%+v", v)
	}
}
