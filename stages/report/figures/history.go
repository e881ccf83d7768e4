package figures

import "github.com/tracelake/tracelake/stages/report/canvas"

// Sizes of a history.
const (
	historyWidth  = 780 * px // of the plot, where releases are neither few nor many
	historyHeight = 260 * px
	leastStep     = 4 * px // between two releases
	mostStep      = 120 * px
	nameRoom      = 15 * px // between two slanted names
	mostRelease   = 120 * px
	mostChange    = 300 * px // of the words of a change
	changeLane    = 15 * px
)

// history is a series and where its parts stand, from the upper left corner of the page and of the body.
type history struct {
	*Series
	plot
	scale    timeScale
	step     Length
	slant    bool
	every    int // at least so many releases from one name to the next
	pennants []pennant
	width    Length
	foot     Length // what the names take below the plot
	wordsAt  Length // height of the lowest words of a change
}

func (s *Series) layout() *history {
	n := Length(len(s.Releases))
	h := &history{Series: s, step: min(max(historyWidth/n, leastStep), mostStep), every: 1}
	h.scale = newTimeScale(s.span())
	h.left = margin + axisLabel + h.tickWidth() + nameGap
	h.nameReleases()
	h.right = h.left + n*h.step
	lanes := h.placePennants()
	h.wordsAt = max(Length(lanes-1), 0)*changeLane + 9*px
	h.top = Length(lanes)*changeLane + 4*px
	h.bottom = h.top + historyHeight
	return h
}

// x is the place of a release.
func (h *history) x(i int) Length { return h.left + Length(i)*h.step + h.step/2 }

// tickWidth is the width of the numbers of the upright axis.
func (h *history) tickWidth() (w Length) {
	for _, ns := range h.scale.ticks() {
		w = max(w, canvas.TextWidth(h.scale.label(ns), smallSize))
	}
	return w
}

// nameReleases finds how the names of releases are written: below each other's side where they have room, else slanted,
// and then only so many as have room.
func (h *history) nameReleases() {
	all := make([]string, len(h.Releases))
	for i := range h.Releases {
		all[i] = h.Releases[i].Name
	}
	wide := widest(all, smallSize, mostRelease)
	h.foot = 20 * px
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

// named says which releases have their names written: those at change points, as far as there is room, and of the others
// every so many.
func (h *history) named() []bool {
	named := make([]bool, len(h.Releases))
	free := func(i int) bool {
		for k := max(i-h.every+1, 0); k < min(i+h.every, len(named)); k++ {
			if named[k] {
				return false
			}
		}
		return true
	}
	for _, f := range h.pennants {
		named[f.at] = named[f.at] || free(f.at)
	}
	for i := 0; i < len(named); i += h.every {
		named[i] = named[i] || free(i)
	}
	return named
}
