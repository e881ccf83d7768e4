package figures

import (
	"cmp"
	"slices"

	"github.com/tracelake/tracelake/stages/report/canvas"
)

// Sizes of a history.
const (
	historyWidth  = 780 * px // of the plot, unless the step between releases is at its minimum or maximum
	historyHeight = 260 * px // of the plot, without names and change labels
	leastStep     = 4 * px   // between two releases: dots of neighbours still do not cover each other
	mostStep      = 120 * px // between two releases: with few releases a wider plot shows no more
	nameRoom      = 15 * px  // between two slanted names, so that lines of text do not touch
	mostRelease   = 120 * px // of a release's name; longer ones are cut
	mostChange    = 300 * px // of a change label; longer ones are cut
	changeLane    = 15 * px  // height of a row of change labels
)

// history is the layout of a series: where its parts stand, from the upper left corner of the page. The plot is the body.
type history struct {
	*Series
	plot
	scale   timeScale     // of the vertical axis
	step    Length        // between two releases
	slant   bool          // names are slanted, as they have no room side by side
	every   int           // minimum of releases from one name to the next
	labels  []changeLabel // one for each change point, by position
	width   Length        // of the page
	foot    Length        // what the names take below the plot
	wordsAt Length        // height of the lowest words of a change
}

// layout places releases, names and change labels. The labels decide how much room is above the plot.
func (s *Series) layout() *history {
	// The order matters: ticks decide where the plot begins, names may move it to the right, and labels need its right end.
	n := Length(len(s.Releases))
	h := &history{Series: s, step: min(max(historyWidth/n, leastStep), mostStep), every: 1}
	h.scale = newTimeScale(s.span())
	h.left = margin + axisLabel + h.tickWidth() + nameGap
	h.nameReleases()
	h.right = h.left + n*h.step
	lanes := h.placeChangeLabels()
	h.wordsAt = max(Length(lanes-1), 0)*changeLane + 9*px
	h.top = Length(lanes)*changeLane + 4*px
	h.bottom = h.top + historyHeight
	return h
}

// x returns the middle of a release.
func (h *history) x(i int) Length { return h.left + Length(i)*h.step + h.step/2 }

// tickWidth returns the width of the numbers of the vertical axis.
func (h *history) tickWidth() (w Length) {
	for _, ns := range h.scale.ticks() {
		w = max(w, canvas.TextWidth(h.scale.label(ns), smallSize))
	}
	return w
}

// nameReleases chooses how the names of releases are written: side by side where all have room, else slanted, and then only
// as many as have room. Slanted names reach to the left, so that those of the first releases may widen the left margin.
func (h *history) nameReleases() {
	all := make([]string, len(h.Releases))
	for i := range h.Releases {
		all[i] = h.Releases[i].Name
	}
	wide := widest(all, smallSize, mostRelease)
	h.foot = 20 * px
	// Side by side with 6 px between; nothing else is to be decided then.
	if wide+6*px <= h.step {
		return
	}
	h.slant, h.every = true, int((nameRoom+h.step-1)/h.step)
	h.foot = slanted(wide) + 18*px
	for i, name := range all {
		reach := slanted(widest([]string{name}, smallSize, mostRelease))
		h.left = max(h.left, margin+reach-Length(i)*h.step-h.step/2)
	}
}

// named returns which releases have their names written: first those at change points, which the reader looks for, as far
// as there is room, and then others at even distances.
func (h *history) named() []bool {
	named := make([]bool, len(h.Releases))
	// free reports whether no release within the distance of a name has one already.
	free := func(i int) bool {
		for k := max(i-h.every+1, 0); k < min(i+h.every, len(named)); k++ {
			if named[k] {
				return false
			}
		}
		return true
	}
	for _, f := range h.labels {
		named[f.at] = named[f.at] || free(f.at)
	}
	for i := 0; i < len(named); i += h.every {
		named[i] = named[i] || free(i)
	}
	return named
}

// changeLabel is the text of a change point at the upper end of its line.
type changeLabel struct {
	at          int    // position of the release
	text        string // cut to its maximum width
	x           Length // of the line, which stands before the release
	left, right Length // the ends of text and line together
	lane        int    // row of the label; 0 is the lowest
}

// labelGap is the distance between a line and its label, and the minimum between two labels.
const labelGap = 4 * px

// placeChangeLabels places the labels of all changes to the right of their lines and returns the number of lanes. It goes from
// the last label to the first and puts each above the labels that it would cover, so that no line crosses a label. The last
// label stands to the left of its line if it would leave the plot there and no other line is in the way.
func (h *history) placeChangeLabels() (lanes int) {
	// 1. Labels to the right of their lines, in the order of the releases.
	for _, c := range h.Changes {
		x := h.left + Length(c.At)*h.step
		text := canvas.Shorten(h.words(c), smallSize, mostChange)
		right := x + labelGap + canvas.TextWidth(text, smallSize)
		h.labels = append(h.labels, changeLabel{at: c.At, text: text, x: x, left: x, right: right})
	}
	slices.SortStableFunc(h.labels, func(a, b changeLabel) int { return cmp.Compare(a.at, b.at) })
	// 2. Lanes, from the last label to the first: a label to the right may be covered, one to the left never is.
	for i := len(h.labels) - 1; i >= 0; i-- {
		f := &h.labels[i]
		if f.right > h.right && i == len(h.labels)-1 {
			h.turn(f, i)
		}
		for k := i + 1; k < len(h.labels); k++ {
			if h.labels[k].left < f.right+labelGap {
				f.lane = max(f.lane, h.labels[k].lane+1)
			}
		}
		lanes = max(lanes, f.lane+1)
		h.width = max(h.width, f.right)
	}
	h.width = max(h.width, h.right) + margin
	return lanes
}

// turn puts the last label to the left of its line, if it has room there.
func (h *history) turn(f *changeLabel, i int) {
	left := f.x - (f.right - f.x)
	if left < h.left || i > 0 && h.labels[i-1].x > left-labelGap {
		return
	}
	f.left, f.right = left, f.x
}
