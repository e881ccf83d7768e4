package validate_test

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/timing/validate"
)

// chart is a small chart, row by row.
type chart struct {
	events      []event
	constraints []constraint
}

type event struct {
	seq, timeNs        int64
	lifeline, function string
	kind               schema.Kind
	message            string // "!m" sends, "?m" receives
}

// component is the part of a lifeline's name before its thread.
func (e event) component() string {
	name, _, _ := strings.Cut(e.lifeline, "/")
	return name
}

type constraint struct {
	target, source      int64
	kind                schema.ConstraintKind
	component           string
	durationNs, slackNs int64
}

// derive gives the constraints of a preliminary chart (Jonk et al. 2019, section IV-A), all of them critical.
func (c *chart) derive() {
	c.constraints = nil
	last, sent := map[string]event{}, map[string]event{}
	for _, e := range c.events {
		if e.kind == schema.Message {
			continue
		}
		if p, has := last[e.lifeline]; has {
			c.tie(p, e, schema.OnLifeline)
		}
		last[e.lifeline] = e
		if id, is := strings.CutPrefix(e.message, "!"); is {
			sent[id] = e
		} else if from, has := sent[strings.TrimPrefix(e.message, "?")]; has {
			c.tie(from, e, schema.ByMessage)
		}
	}
}

func (c *chart) tie(from, to event, kind schema.ConstraintKind) {
	c.constraints = append(c.constraints, constraint{to.seq, from.seq, kind, to.component(), to.timeNs - from.timeNs, 0})
}

// retime brings durations up to the times of the events and keeps the bounds.
func (c *chart) retime() {
	for i := range c.constraints {
		x := &c.constraints[i]
		durationNs := c.at(x.target).timeNs - c.at(x.source).timeNs
		x.slackNs += durationNs - x.durationNs
		x.durationNs = durationNs
	}
}

func (c *chart) at(seq int64) event {
	return c.events[slices.IndexFunc(c.events, func(e event) bool { return e.seq == seq })]
}

func (c chart) clone() chart { return chart{slices.Clone(c.events), slices.Clone(c.constraints)} }

// tables makes columns of the chart.
func (c *chart) tables() (*schema.Events, *schema.Constraints) {
	ev := schema.NewEvents()
	names := ev.Names
	for _, e := range c.events {
		schema.Extend(ev, 1)
		i := len(ev.Seq) - 1
		ev.Seq[i], ev.TimeNs[i], ev.Kind[i] = e.seq, e.timeNs, e.kind
		ev.Component[i], ev.Lifeline[i] = names.Components.Code(e.component()), names.Lifelines.Code(e.lifeline)
		ev.Function[i] = names.Functions.Code(e.function)
	}
	rows := schema.NewConstraints(names)
	for _, x := range c.constraints {
		schema.Extend(rows, 1)
		i := len(rows.Target) - 1
		rows.Target[i], rows.Source[i], rows.Kind[i] = x.target, x.source, x.kind
		rows.Component[i], rows.DurationNs[i], rows.SlackNs[i] = names.Components.Code(x.component), x.durationNs, x.slackNs
	}
	return ev, rows
}

// check validates the chart, batch rows at a time, with no more events ahead of the constraints than needed.
func (c *chart) check(batch int) []schema.Violation {
	ev, rows := c.tables()
	b := validate.NewBuilder(ev.Names)
	next := 0
	more := func() bool {
		from := next
		next = min(next+batch, len(ev.Seq))
		b.AddEvents(ev, from, next)
		return next > from
	}
	for from := 0; from < len(rows.Target); from += batch {
		to := min(from+batch, len(rows.Target))
		for !b.Reaches(slices.Max(rows.Target[from:to])) && more() {
		}
		b.AddConstraints(rows, from, to)
	}
	for more() {
	}
	return b.Violations()
}

// render has a line for every violation: condition, name, lifeline (or component), function, how often, and where first.
func render(rows []schema.Violation) string {
	var out strings.Builder
	for _, v := range rows {
		of, at := v.Component, ""
		if v.Lifeline != "" {
			of = v.Lifeline + " " + v.Function
		}
		if v.FirstNs != nil {
			at = fmt.Sprintf(" at %d", *v.FirstNs)
		}
		fmt.Fprintf(&out, "%d %s %s: %d, first %d%s\n", v.Condition, v.Name, of, v.Count, v.FirstSeq, at)
	}
	return out.String()
}
