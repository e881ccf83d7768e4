package figures

import (
	"cmp"
	"slices"

	"github.com/tracelake/tracelake/stages/report/canvas"
)

// pennant is the words of a change point at the upper end of its line.
type pennant struct {
	at          int // release
	text        string
	x           Length // of the line, which stands before the release
	left, right Length // of words and line
	lane        int    // 0 is the lowest
}

// pennantGap is between a line and its words, and at least between two pennants.
const pennantGap = 4 * px

// placePennants places the words of all changes, from the last to the first, to the right of their lines: each above the
// pennants that they would lie on, so that no line goes through words. The last stand to the left of their lines instead
// if they would leave the plot, and no other line is there. It returns the number of lanes.
func (h *history) placePennants() (lanes int) {
	for _, c := range h.Changes {
		x := h.left + Length(c.At)*h.step
		text := fit(h.words(c), smallSize, mostChange)
		right := x + pennantGap + canvas.TextWidth(text, smallSize)
		h.pennants = append(h.pennants, pennant{at: c.At, text: text, x: x, left: x, right: right})
	}
	slices.SortStableFunc(h.pennants, func(a, b pennant) int { return cmp.Compare(a.at, b.at) })
	for i := len(h.pennants) - 1; i >= 0; i-- {
		f := &h.pennants[i]
		if f.right > h.right && i == len(h.pennants)-1 {
			h.turn(f, i)
		}
		for k := i + 1; k < len(h.pennants); k++ {
			if h.pennants[k].left < f.right+pennantGap {
				f.lane = max(f.lane, h.pennants[k].lane+1)
			}
		}
		lanes = max(lanes, f.lane+1)
		h.width = max(h.width, f.right)
	}
	h.width = max(h.width, h.right) + margin
	return lanes
}

// turn lets the words of the last pennant stand to the left of its line, if they have room there.
func (h *history) turn(f *pennant, i int) {
	left := f.x - (f.right - f.x)
	if left < h.left || i > 0 && h.pennants[i-1].x > left-pennantGap {
		return
	}
	f.left, f.right = left, f.x
}
