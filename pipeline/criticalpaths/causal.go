package criticalpaths

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/pipeline/chartwindow"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/timing/slack"
	"github.com/tracelake/tracelake/stages/timing/window"
)

// Dependencies are how one event depends on another.
type Dependencies struct {
	Names       *schema.Names
	Parts       []window.Part
	Linked      bool         // a path of constraints leads from the first event to the second
	Count       int64        // constraints on such paths
	Constraints []Constraint // the first of them, by target
	Involved    []Involved   // those with most events first

	keep   int64
	target int64   // of the last constraint
	events []int64 // by part: targets of which it is the first constraint
	mail   []int64 // by part: messages
}

// Involved is what lies on paths of a component.
type Involved struct {
	Component string
	Events    int64 // those that constraints lead to, and the first one
	Messages  int64 // received
}

// Dependencies finds the constraints on all paths from the first event of an occurrence to its last one; with
// critical, on paths of critical constraints alone. It keeps so many of them; 0 is all.
func (j *Job) Dependencies(ctx context.Context, o Occurrence, critical bool, keep int) (*Dependencies, error) {
	c, err := chartwindow.Of(j.Lake, j.Run, chartwindow.Want{Parts: true}, j.Jobs)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	only := window.Flags(0)
	if critical {
		only = window.Critical
	}
	causal := slack.NewCausal(o.From, o.To, o.FromNs, o.ToNs, only)
	windows := c.Windows(chartwindow.Range{Lo: o.From, Hi: o.To + 1}, j.edges())
	j.Progress.Expect(2 * int64(len(windows)))
	if err := c.Down(ctx, windows, func(w *window.Window) error {
		causal.Down(w)
		j.Progress.Advance(1)
		return nil
	}); err != nil {
		return nil, err
	}
	d := &Dependencies{Names: c.Names, Linked: causal.Linked(), keep: int64(keep), target: o.From}
	if d.Linked {
		err = c.Up(ctx, windows, func(w *window.Window) error {
			causal.Up(w, d.take)
			j.Progress.Advance(1)
			return d.fits(j.Memory)
		})
	}
	d.Parts = c.Parts()
	d.involve()
	return d, err
}

// take counts a constraint, and keeps it if it is one of the first.
func (d *Dependencies) take(target int64, e *window.Edge) {
	if d.Count++; d.keep == 0 || d.Count <= d.keep {
		d.Constraints = append(d.Constraints, Constraint{target, *e})
	}
	if n := int(e.Part) + 1 - len(d.events); n > 0 {
		d.events, d.mail = append(d.events, make([]int64, n)...), append(d.mail, make([]int64, n)...)
	}
	if target != d.target {
		d.target = target
		d.events[e.Part]++
	}
	if e.Flags&window.Message != 0 {
		d.mail[e.Part]++
	}
}

// fits refuses more constraints than can be told.
func (d *Dependencies) fits(memory int64) error {
	if most := memory / knownBytes; int64(len(d.Constraints)) > most {
		return fmt.Errorf("the event depends on the other over more than %d constraints: raise --memory, or name events that lie closer together", most)
	}
	return nil
}

// involve sums up what was counted by component.
func (d *Dependencies) involve() {
	if d.Count == 0 {
		return
	}
	of := make(map[schema.Code]*Involved)
	component := func(c schema.Code) *Involved {
		if of[c] == nil {
			of[c] = &Involved{Component: d.Names.Components.Name(c)}
		}
		return of[c]
	}
	for part, events := range d.events {
		if p := d.Parts[part]; events > 0 || d.mail[part] > 0 {
			component(p.Component).Events += events
			component(p.Component).Messages += d.mail[part]
		}
	}
	component(first(d.Parts[d.Constraints[0].Part])).Events++
	for _, one := range of {
		d.Involved = append(d.Involved, *one)
	}
	slices.SortFunc(d.Involved, func(a, b Involved) int {
		return cmp.Or(cmp.Compare(b.Events, a.Events), strings.Compare(a.Component, b.Component))
	})
}

// first is the component of a constraint's source.
func first(p window.Part) schema.Code {
	if p.Message {
		return p.Sender
	}
	return p.Component
}
