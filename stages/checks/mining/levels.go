package mining

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// levels proposes how much is in flight at once, and between which values signals of the trace stay. Of lifelines those are asked that
// have a function that is asked for; with all functions, roots, messages and signals are, too.
func (x *proposer) levels(like func(Subject) bool) {
	all := true
	for _, s := range x.subjects {
		all = all && like(s)
	}
	for _, name := range x.lifelines() {
		switch {
		case name == "":
			if all {
				x.inFlight(name, "roots", "wip of root", "root execution")
			}
		case name == messagesInFlight:
			if all {
				x.inFlight(name, "messages", "wip of message", "message")
			}
		case strings.HasPrefix(name, resourcePrefix):
			if resource := strings.TrimPrefix(name, resourcePrefix); all && quotable(resource) {
				x.inFlight(name, resource, "resource-clients of {'name'="+quote(resource)+"}", "claim of the resource")
			}
		case quotable(name) && slices.ContainsFunc(x.of, func(s int) bool { return x.on(name, x.subjects[s].Component) }):
			x.inFlight(name, name, "resource-clients of {'lifeline'="+quote(name)+"}", "execution of the lifeline")
		}
	}
	if all {
		x.bounds()
	}
}

// on reports whether a lifeline is a component or one of its threads.
func (x *proposer) on(lifeline, component string) bool {
	return lifeline == component || strings.HasPrefix(lifeline, component+"/")
}

// lifelines are those that every run has.
func (m *Miner) lifelines() (names []string) {
	for name := range m.runs[0].inFlight {
		if !slices.ContainsFunc(m.runs, func(r *run) bool { l := r.inFlight[name]; return l == nil || l.most == 0 }) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// inFlight proposes a bound of what is in flight at once: the most of any run, and as much beyond as runs differ.
func (x *proposer) inFlight(name, as, signal, things string) {
	var most []int64
	for _, r := range x.runs {
		most = append(most, r.inFlight[name].most)
	}
	greatest := slices.Max(most)
	k := greatest + greatest - slices.Min(most)
	id := "flying_" + identifier(as)
	support := fmt.Sprintf("at most %s at once in every run", plural(int(greatest), things))
	if slices.Min(most) < greatest {
		support = fmt.Sprintf("at most %d to %s at once", slices.Min(most), plural(int(greatest), things))
	}
	x.all = append(x.all, Proposal{
		Kind: InFlight, Name: as, Signals: []string{"signal " + id + " : " + signal}, Formula: fmt.Sprintf("globally %s <= %d", id, k), Support: support,
		Says: x.share(func(r *run) int64 { return r.inFlight[name].busyNs }) * float64(greatest) / float64(k),
	})
}

// bounds proposes between which values signals of the trace stay: those of any run, and as much beyond as runs differ.
func (x *proposer) bounds() {
	var names []string
	for name := range x.runs[0].signals {
		if quotable(name) && !slices.ContainsFunc(x.runs, func(r *run) bool { _, has := r.signals[name]; return !has }) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for i, name := range names[:min(len(names), mostSignals)] {
		var least, greatest []float64
		for _, r := range x.runs {
			least, greatest = append(least, r.signals[name].least), append(greatest, r.signals[name].greatest)
		}
		low, high := slices.Min(least)-(slices.Max(least)-slices.Min(least)), slices.Max(greatest)+slices.Max(greatest)-slices.Min(greatest)
		if len(x.runs) == 1 {
			low, high = low-(high-low)/2, high+(high-low)/2
		}
		id := fmt.Sprintf("traced_%d_%s", i+1, identifier(name))
		x.all = append(x.all, Proposal{
			Kind: Bounds, Name: name, Signals: []string{"signal " + id + " : {'name'=" + quote(name) + "}"},
			Formula: fmt.Sprintf("globally (%s >= %s and %s <= %s)", id, decimal(low, math.Floor), id, decimal(high, math.Ceil)),
			Support: fmt.Sprintf("it was between %s and %s", decimal(slices.Min(least), math.Floor), decimal(slices.Max(greatest), math.Ceil)),
			Says:    (slices.Max(greatest) - slices.Min(least) + 1) / (high - low + 1),
		})
	}
}

// decimal is a number of three digits, rounded to the one side.
func decimal(x float64, to func(float64) float64) string {
	if x == 0 || math.IsInf(x, 0) || math.IsNaN(x) {
		return "0"
	}
	unit := math.Pow(10, math.Floor(math.Log10(math.Abs(x)))-2)
	return strconv.FormatFloat(roundTo(x, unit, to), 'f', -1, 64)
}
