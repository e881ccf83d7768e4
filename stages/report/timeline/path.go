package timeline

import (
	"cmp"
	"slices"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/timing/findings"
)

// Segment is a step of the critical path, from its left point to its right one. On a lane it runs along a level.
type Segment struct {
	Step                  // that it draws
	From, To       int    // lanes
	Left, Right    Length // the ends, cut to the window
	LeftY, RightY  Length // at both ends
	Along          Length // of a step on a lane: the edge that it follows
	Inferred       bool   // the message is a callback that nobody saw
	FromCut, ToCut bool   // the window cuts the source, the target off
}

// segments lays out the steps that reach into the window, and marks the boxes that they run along. Steps of lifelines that have no
// lane are counted.
func (c *Chart) segments(e *events) {
	steps, callbacks := slices.Clone(c.window.Path), c.callbacks()
	slices.SortFunc(steps, func(x, y Step) int {
		return cmp.Or(cmp.Compare(x.SourceNs, y.SourceNs), cmp.Compare(x.Source, y.Source), cmp.Compare(x.Target, y.Target))
	})
	// A step may be a message between lanes or a stretch of one lane, which are drawn in different ways.
	for _, s := range steps {
		if s.TargetNs < c.window.FromNs || s.SourceNs > c.window.ToNs {
			continue
		}
		g := Segment{Step: s, Left: c.scale.clip(s.SourceNs), Right: c.scale.clip(s.TargetNs)}
		g.Inferred = s.Message && callbacks[[2]int64{s.Source, s.Target}]
		g.FromCut, g.ToCut = s.SourceNs < c.window.FromNs, s.TargetNs > c.window.ToNs
		draw := c.follow
		if s.Message {
			draw = c.jump
		}
		if !draw(e, &g) {
			c.PathHidden++
			continue
		}
		c.Path = append(c.Path, g)
	}
}

// callbacks finds the inferred messages of the window by their events; none where there is no path.
func (c *Chart) callbacks() map[[2]int64]bool {
	found, m := make(map[[2]int64]bool), c.window.Messages
	for i := range m.Pattern {
		if len(c.window.Path) > 0 && kindOf(m, i) == inferred {
			found[[2]int64{m.SendSeq[i], m.ReceiveSeq[i]}] = true
		}
	}
	return found
}

// jump lays out a message between two lanes, and reports whether both are shown.
func (c *Chart) jump(e *events, g *Segment) bool {
	// A message without a known sender is one within the component.
	sender := g.Sender
	if sender == schema.NoCode {
		sender = g.Component
	}
	var from, received anchor
	from, g.From = c.anchor(e, sender, g.Source)
	received, g.To = c.anchor(e, g.Component, g.Target)
	if g.From < 0 || g.To < 0 {
		return false
	}
	a := Arrow{SendNs: g.SourceNs, ReceiveNs: g.TargetNs}
	a.LeftY, a.RightY = c.meet(from, received)
	c.cut(&a)
	g.LeftY, g.RightY = a.LeftY, a.RightY
	return true
}

// follow lays out a step on a lifeline, along the upper edge of the innermost open execution. Where the window shows neither
// of its events, the deepest box below all of it stands for that execution. It reports whether the lifeline is shown.
func (c *Chart) follow(e *events, g *Segment) bool {
	source, isSource := c.exact(e, g.Component, g.Source)
	target, isTarget := c.exact(e, g.Component, g.Target)
	// The level is taken from the event that the window has; at a finish the execution itself is left out.
	lane, level := c.laneOfComponent[g.Component], 0
	switch {
	case isSource:
		lane, level = int(c.laneOf[e.x.Lifeline[source.row]]), e.level(source)
	case isTarget:
		lane, level = int(c.laneOf[e.x.Lifeline[target.row]]), e.level(target)
		level += sign(target.finish) // the level before the finish, or that after the start
	default:
		lane, level = c.around(lane, g)
	}
	if lane < 0 {
		return false
	}
	g.From, g.To = lane, lane
	g.Along = c.edge(lane, level)
	g.LeftY, g.RightY = g.Along, g.Along
	// Where the window does not cut it, the line begins at the box of its event.
	if isSource && !g.FromCut {
		g.LeftY = c.edge(lane, int(e.x.Depth[source.row]))
	}
	if isTarget && !g.ToCut {
		g.RightY = c.edge(lane, int(e.x.Depth[target.row]))
	}
	c.mark(lane, level-1, g.Left, g.Right)
	return true
}

// exact finds the event itself.
func (c *Chart) exact(e *events, component schema.Code, seq int64) (end, bool) {
	at, exact, _ := e.find(component, seq)
	return at, exact
}

// around finds the deepest box that is open through all of a step that the window shows, among the lanes of the
// component, and returns its lane and the level on top of it.
func (c *Chart) around(lane int, g *Segment) (_, level int) {
	// The last one that is deeper wins, so equal boxes of several lanes give the first lane.
	for i := range c.Boxes {
		b := &c.Boxes[i]
		if c.Lanes[b.Lane].component == g.Component && b.Left <= g.Left && b.Right >= g.Right && b.Level+1 > level {
			lane, level = b.Lane, b.Level+1
		}
	}
	return lane, level
}

// mark marks the boxes of a level under a step of the path.
// Boxes of a level are sorted by place and do not overlap, so the first that reaches left is found by bisection.
func (c *Chart) mark(lane, level int, left, right Length) {
	at, _ := slices.BinarySearchFunc(c.Boxes, left, func(b Box, left Length) int {
		return cmp.Or(cmp.Compare(b.Lane, lane), cmp.Compare(b.Level, level), cmp.Compare(b.Right, left))
	})
	for ; at < len(c.Boxes) && c.Boxes[at].Lane == lane && c.Boxes[at].Level == level && c.Boxes[at].Left <= right; at++ {
		c.Boxes[at].OnPath = true
	}
}

// StepsOf returns the steps of a path that reach into a window, with the codes of the window. The path has names of its own, so its
// codes are translated.
func StepsOf(path *findings.Path, w *Window) []Step {
	names := w.Executions.Names
	var steps []Step
	for _, s := range path.Steps {
		if s.TargetNs < w.FromNs || s.SourceNs > w.ToNs { // outside of the window
			continue
		}
		p := path.Parts[s.Part]
		one := Step{
			Source: s.Source, Target: s.Target, SourceNs: s.SourceNs, TargetNs: s.TargetNs, Message: s.Message, Critical: true,
			Component: names.Components.Code(path.Names.Components.Name(p.Component)), Function: schema.NoCode, Sender: schema.NoCode,
		}
		if p.Function != schema.NoCode {
			one.Function = names.Functions.Code(path.Names.Functions.Name(p.Function))
		}
		if p.Sender != schema.NoCode {
			one.Sender = names.Components.Code(path.Names.Components.Name(p.Sender))
		}
		steps = append(steps, one)
	}
	return steps
}
