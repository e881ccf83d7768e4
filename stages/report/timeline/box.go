package timeline

import (
	"cmp"
	"slices"

	"github.com/tracelake/tracelake/schema"
)

// Box is an execution, or several executions on top of the same box that are too narrow to distinguish.
type Box struct {
	Lane, Level int         // level 0 is the lowest of a lane
	Left, Right Length      // from the left edge of the page
	StartNs     int64       // in trace time, also where the window cuts the box
	FinishNs    int64       // likewise
	Function    schema.Code // NoCode where several functions are in one box
	Count       int64       // executions
	Parent      int         // the box of the caller, by position; -1 where it has none
	OnPath      bool        // the critical path runs along it
	Open        bool        // the trace lacks its start or its finish, which was invented
	Moment      bool        // a regular event, or several
	Value       int32       // in Window.Colours, or -1
	component   schema.Code // of the execution
}

// hatched reports whether the box stands for several executions.
func (b Box) hatched() bool { return b.Count > 1 }

// stacker stacks the boxes of nested executions. It visits them in the order of their starts.
type stacker struct {
	w       *Window
	x       *schema.Executions // of the window
	scale   scale              // from times to places
	narrow  Length             // executions of less width are joined
	boxes   []Box              // in the order of their starts
	top     []open             // by level: the last execution of the lane
	lane    int                // at hand
	laneOf  []int32            // by lifeline; -1 where it is not shown
	deepest int64              // executions beyond the highest level
}

// open is the last execution on a level with the position of its box.
type open struct {
	execution int64
	box       int
}

// order returns the rows by lane, then by start: a caller comes before its callees.
func (s *stacker) order() []int32 {
	rows := make([]int32, 0, len(s.x.Execution))
	for i, line := range s.x.Lifeline {
		if s.laneOf[line] >= 0 {
			rows = append(rows, int32(i))
		}
	}
	// The number of an execution is that of its start event, so it orders by start, callers before callees.
	slices.SortFunc(rows, func(a, b int32) int {
		return cmp.Or(cmp.Compare(s.laneOf[s.x.Lifeline[a]], s.laneOf[s.x.Lifeline[b]]), cmp.Compare(s.x.Execution[a], s.x.Execution[b]))
	})
	return rows
}

// stack makes the boxes.
func (s *stacker) stack(rows []int32) {
	none := open{schema.NoValue, -1}
	s.lane, s.boxes, s.deepest = -1, s.boxes[:0], 0
	for _, row := range rows {
		// A new lane begins with nothing open.
		if lane := int(s.laneOf[s.x.Lifeline[row]]); lane != s.lane {
			s.lane = lane
			s.top = slices.Repeat([]open{none}, mostLevels)
		}
		if s.x.Depth[row] >= mostLevels {
			s.deepest++
			continue
		}
		s.add(int(row))
	}
}

// add makes the box of an execution. Its parent is the box on the level below if that is its caller's, which it is not
// where calls interleave and the caller has finished.
func (s *stacker) add(row int) {
	x := s.x
	b := Box{
		Lane: s.lane, Level: int(x.Depth[row]), StartNs: x.StartNs[row], FinishNs: x.FinishNs[row],
		Left: s.scale.clip(x.StartNs[row]), Right: s.scale.clip(x.FinishNs[row]),
		Function: x.Function[row], Count: 1, Parent: -1, Open: x.Synthetic[row], Moment: s.w.moment(row), Value: -1, component: x.Component[row],
	}
	if s.w.Colours != nil {
		b.Value = s.w.Colours.Of[row]
	}
	// Level 0 has no caller; deeper boxes lie within that of their caller.
	if b.Level > 0 && s.top[b.Level-1].execution == x.Parent[row] && s.top[b.Level-1].execution != schema.NoValue {
		b.Parent = s.top[b.Level-1].box
	}
	at := s.place(b)
	s.top[b.Level] = open{x.Execution[row], at}
}

// place adds a box, or widens the one before it on its level, and returns where it is.
func (s *stacker) place(b Box) int {
	last := s.top[b.Level].box
	// Only narrow boxes are joined or widened: a wide one shows what it is.
	if b.Right-b.Left < s.narrow {
		if last >= 0 && s.joins(&s.boxes[last], &b) {
			s.join(&s.boxes[last], &b)
			return last
		}
		if !b.Moment {
			s.widen(&b)
		}
	}
	s.boxes = append(s.boxes, b)
	return len(s.boxes) - 1
}

// joins reports whether a narrow box is joined to the one before it: that one is narrow or hatched, both have the same parent,
// and no visible gap lies between them.
func (s *stacker) joins(last, b *Box) bool {
	// A regular event is a mark that is wider than its time.
	if last.Moment || b.Moment {
		return last.Moment && b.Moment && b.Left-last.Right < max(s.narrow, momentSize)
	}
	narrow := last.hatched() || s.scale.clip(last.FinishNs)-s.scale.clip(last.StartNs) < s.narrow
	return narrow && last.Parent == b.Parent && b.Left-last.Right < s.narrow
}

// join puts a narrow box into the one before it.
// Of several functions none can name the box.
func (s *stacker) join(last, b *Box) {
	if last.Function != b.Function {
		last.Function = schema.NoCode
	}
	if last.Value != b.Value {
		last.Value = -1
	}
	last.Count++
	last.Open = last.Open || b.Open
	last.FinishNs = max(last.FinishNs, b.FinishNs)
	last.Right = max(last.Right, b.Right)
}

// widen makes a box as wide as can be seen, and keeps it within its parent.
func (s *stacker) widen(b *Box) {
	left, right := s.scale.left, s.scale.right
	if b.Parent >= 0 {
		left, right = s.boxes[b.Parent].Left, s.boxes[b.Parent].Right
	}
	// First to the right, as far as the parent reaches, then to the left for what is missing.
	b.Right = max(b.Right, min(b.Left+s.narrow, right))
	b.Left = min(b.Left, max(b.Right-s.narrow, left))
}
