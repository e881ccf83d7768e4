package requirements

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/checks/mtl"
	"github.com/tracelake/tracelake/stages/checks/spec"
	"github.com/tracelake/tracelake/testdata/expect"
)

// pair is a call that sends a message to one that receives it, a further message, and a call that the ingest invented.
func pair() *schema.Events {
	ev := schema.NewEvents()
	n := ev.Names
	add := func(ns int64, component, function string, kind schema.Kind, direction schema.Direction, id int64, peer string, synthetic bool) {
		ev.Seq = append(ev.Seq, int64(len(ev.Seq)))
		ev.TimeNs = append(ev.TimeNs, ns)
		ev.Component = append(ev.Component, n.Components.Code(component))
		ev.Lifeline = append(ev.Lifeline, n.Lifelines.Code(component+"/1"))
		ev.Function = append(ev.Function, n.Functions.Code(function))
		ev.Kind = append(ev.Kind, kind)
		message := ""
		if direction != schema.NoMessage {
			message = "m"
		}
		ev.Message = append(ev.Message, n.Messages.Optional(message))
		ev.Series = append(ev.Series, n.Series.Optional(message))
		ev.MessageID = append(ev.MessageID, id)
		ev.Direction = append(ev.Direction, direction)
		ev.Peer = append(ev.Peer, n.Components.Optional(peer))
		ev.ExecutionType = append(ev.ExecutionType, schema.NoCode)
		ev.Synthetic = append(ev.Synthetic, synthetic)
	}
	add(10, "a", "f", schema.Enter, schema.Send, 7, "b", false)
	add(20, "b", "g", schema.Enter, schema.Receive, 7, "a", false)
	add(20, "b", "g", schema.Message, schema.Send, 8, "a", false)
	add(30, "b", "g", schema.Exit, schema.NoMessage, schema.NoValue, "", false)
	add(35, "b", "h", schema.Enter, schema.NoMessage, schema.NoValue, "", true)
	add(40, "a", "f", schema.Exit, schema.NoMessage, schema.NoValue, "", false)
	return ev
}

// TestAttributes sees which states have which attributes: what holds at which of the five states, of which the fourth is invented.
func TestAttributes(t *testing.T) {
	for filter, want := range map[string]string{
		"{component=a}": "x...x", "start {component=a}": "x....", "end {component=a}": "....x", "{lifeline='b/1'}": ".xxx.",
		"{name=g, function=g}": ".xx..", "{message=m}": "xx...", "{series=m, id_series=m}": "xx...", "{message_id=m7}": "xx...", "{message_id=m}": ".....",
		"{direction=send}": "x....", "{peer=a}": ".x...", "{execution_type=''}": ".....", "{id=7}": ".....", "{name=g, peer=b}": ".....",
	} {
		s := expect.Value(spec.Parse("f", "check c : "+filter))(t)
		ev := pair()
		states := NewStates(s, ev.Names, true)
		states.Add(ev)
		states.Tape.Close()
		f := expect.Value(s.Instances(&s.Checks[0], nil))(t)[0].Formula
		holds, got := states.holds(&f.Filter), ""
		for i := range states.Tape.States() {
			got += map[bool]string{true: "x", false: "."}[holds[states.Tape.Tuple(i)]]
		}
		expect.Equal(t, got, want, "%s", filter)
	}
}

// TestOutcomes sees verdicts of values that occur, without invented states, alone and among other checks.
func TestOutcomes(t *testing.T) {
	const one = "check c : forall (f : values of name in start {direction=receive}) globally if start {name=f} then within 5 ns end {name=f}\n"
	for _, text := range []string{one, "check before : {name=h}\n" + one + "check behind : finally {peer=a, lifeline=x}"} {
		s := expect.Value(spec.Parse("f", text))(t)
		ev := pair()
		states := NewStates(s, ev.Names, false)
		states.Add(ev)
		states.Tape.Close()
		expect.Equal(t, states.Tape.States(), 4, "states")
		for i := range s.Checks {
			all := expect.Value(states.Judge(s, &s.Checks[i], Four, mtl.Keep{Failing: 10}))(t)
			if s.Checks[i].Name == "c" {
				o := all[0]
				got := fmt.Sprint(len(all), o.Value, " ", Four.Word(o.Verdict), o.Triggers, o.Failures, o.MarginNs, o.BoundNs, o.Failing)
				expect.Equal(t, got, "1g BAD1 1 -5 5 [{1 1 20 b g 10 5}]", "outcome")
			}
		}
	}
	s := expect.Value(spec.Parse("f", "check c : {nam=g, component=a}"))(t)
	if u := NewStates(s, new(schema.Names), true).Unknown(s); len(u) != 1 || !strings.Contains(UnknownSentence(s, u[0], nil), "f:1:12: no state has the attribute nam") {
		t.Error(u)
	}
}
