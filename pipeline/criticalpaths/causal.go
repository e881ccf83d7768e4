package criticalpaths

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/pipeline/chartwindow"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/timing/findings"
	"github.com/tracelake/tracelake/stages/timing/slack"
	"github.com/tracelake/tracelake/stages/timing/window"
)

// dependencyCounter collects dependencies, constraint by constraint in the order of their targets.
type dependencyCounter struct {
	*findings.Dependencies
	keep     int64   // constraints that are kept; 0 means all
	target   int64   // of the constraint before
	events   []int64 // by part: targets whose first constraint has it
	messages []int64 // by part: number of messages
}

// Dependencies finds the constraints on all paths from the first event of an occurrence to its last one;
// with critical, on paths of critical constraints alone. It counts all and keeps the first keep of them;
// 0 keeps all.
// The chart is swept twice, down for what reaches the last event and up for what the first one reaches, in two bits
// for each event between them.
func (j *Job) Dependencies(ctx context.Context, o findings.Occurrence, critical bool, keep int) (*findings.Dependencies, error) {
	c, err := chartwindow.Of(j.Lake, j.Run, chartwindow.Want{Parts: true}, j.Jobs)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	// Flags that a constraint must have; none for all of them.
	only := window.Flags(0)
	if critical {
		only = window.Critical
	}
	causal := slack.NewCausal(o.From, o.To, o.FromNs, o.ToNs, only)
	// Both sweeps walk the same windows, in opposite orders.
	windows := c.Windows(chartwindow.Range{Lo: o.From, Hi: o.To + 1}, j.edgesPerWindow())
	j.Progress.Expect(2 * int64(len(windows)))
	if err := c.Down(ctx, windows, func(w *window.Window) error {
		causal.Down(w)
		j.Progress.Advance(1)
		return nil
	}); err != nil {
		return nil, err
	}
	// After the sweep down it is known whether there is any path; without one the second sweep is not needed.
	d := &dependencyCounter{Dependencies: &findings.Dependencies{Names: c.Names, Linked: causal.Linked()}, keep: int64(keep), target: o.From}
	if d.Linked {
		err = c.Up(ctx, windows, func(w *window.Window) error {
			causal.Up(w, d.addConstraint)
			j.Progress.Advance(1)
			return d.checkMemory(j.Memory)
		})
	}
	// The list of parts is complete only after the last window.
	d.Parts = c.Parts()
	d.sumByComponent()
	return d.Dependencies, err
}

// addConstraint counts a constraint, and keeps it if it is one of the first.
func (d *dependencyCounter) addConstraint(target int64, e *window.Edge) {
	// Counting goes on after the list is full, so that a report can say how many there are.
	if d.Count++; d.keep == 0 || d.Count <= d.keep {
		d.Constraints = append(d.Constraints, findings.Constraint{Target: target, Edge: *e})
	}
	parts := int(e.Part) + 1
	d.events, d.messages = schema.GrowTo(d.events, parts), schema.GrowTo(d.messages, parts)
	// Constraints come by target, so that a new target is a new event.
	if target != d.target {
		d.target = target
		d.events[e.Part]++
	}
	if e.Flags&window.Message != 0 {
		d.messages[e.Part]++
	}
}

// checkMemory returns an error if more constraints are kept than memory allows.
// keep bounds the list in most cases; without a bound the memory does.
func (d *dependencyCounter) checkMemory(memory int64) error {
	if most := memory / knownBytes; int64(len(d.Constraints)) > most {
		return fmt.Errorf("the event depends on the other over more than %d constraints: raise --memory, or name events that lie closer together", most)
	}
	return nil
}

// sumByComponent sums up by component what was counted by part.
func (d *dependencyCounter) sumByComponent() {
	if d.Count == 0 {
		return
	}
	// Parts are finer than components: one for each function and message of a component.
	of := make(map[schema.Code]*findings.Involved)
	component := func(c schema.Code) *findings.Involved {
		if of[c] == nil {
			of[c] = &findings.Involved{Component: d.Names.Components.Name(c)}
		}
		return of[c]
	}
	for part, events := range d.events {
		if p := d.Parts[part]; events > 0 || d.messages[part] > 0 {
			component(p.Component).Events += events
			component(p.Component).Messages += d.messages[part]
		}
	}
	// The first event is the target of no constraint that was counted.
	component(sourceComponent(d.Parts[d.Constraints[0].Part])).Events++
	for _, one := range of {
		d.Involved = append(d.Involved, *one)
	}
	// The component with the most events first; names make the order complete.
	slices.SortFunc(d.Involved, func(a, b findings.Involved) int {
		return cmp.Or(cmp.Compare(b.Events, a.Events), strings.Compare(a.Component, b.Component))
	})
}

// sourceComponent returns the component of a constraint's source.
func sourceComponent(p window.Part) schema.Code {
	if p.Message {
		return p.Sender
	}
	return p.Component
}
