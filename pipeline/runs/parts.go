package runs

import (
	"slices"
	"strings"
	"time"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/services"
)

// Part is a run whose requests are compared, or those of its requests that start in a window of time. A run in which something went wrong
// has the time before it, too, and no other fault-free minute is as like the one behind it.
type Part struct {
	Run    string
	Within string // the window as it was written, FROM..TO; empty for the whole run
}

// String writes a part as a selector.
func (p Part) String() string {
	if p.Within == "" {
		return p.Run
	}
	return p.Run + "," + p.Within
}

// WholeRuns makes parts of whole runs.
func WholeRuns(names ...string) []Part {
	parts := make([]Part, len(names))
	for i, name := range names {
		parts[i].Run = name
	}
	return parts
}

// Parts returns the parts of runs that selectors mean. RUN,FROM..TO means the requests of a run that start in a window, and what Within makes of a
// window means them, too, where the run was not split. Any other selector means whole runs, as Select has it. Each part comes once, in the order
// of the names: the order in which runs are named says nothing.
func Parts(l *lake.Lake, selectors []string) ([]Part, error) {
	names, err := Names(l)
	if err != nil {
		return nil, err
	}
	var parts []Part
	for _, selector := range selectors {
		at := strings.LastIndexByte(selector, ',')
		if at < 0 || !IsWindow(selector[at+1:]) {
			at = len(selector)
		}
		run, isSplit := strings.CutPrefix(selector[:at], schema.LabelSplit+"=")
		_, known := slices.BinarySearch(names, run)
		if windowed := at < len(selector) && known; windowed && !isSplit {
			parts = append(parts, Part{run, selector[at+1:]})
			continue
		} else if found, err := Select(l, []string{selector}); err == nil {
			parts = append(parts, WholeRuns(found...)...)
		} else if windowed {
			parts = append(parts, Part{run, selector[at+1:]})
		} else {
			return nil, err
		}
	}
	slices.SortFunc(parts, func(a, b Part) int { return strings.Compare(a.String(), b.String()) })
	return slices.Compact(parts), nil
}

// of keeps the requests of a part. None is an error, which says when the run has requests.
func (p Part) of(requests []services.Request) ([]services.Request, error) {
	window, is := parseStarting(p.Within)
	if !is || len(requests) == 0 {
		return requests, nil
	}
	first, last := requests[0].Spans[0].StartNs, requests[0].Spans[0].StartNs
	for i := range requests {
		first, last = min(first, requests[i].Spans[0].StartNs), max(last, requests[i].Spans[0].StartNs)
	}
	requests = slices.DeleteFunc(requests, func(q services.Request) bool { return !window.has(q.Spans[0].StartNs) })
	if len(requests) == 0 {
		at := func(ns int64) string { return time.Unix(0, ns).UTC().Format(moments[len(moments)-1]) }
		return nil, nameErrorf("no request of run %s starts in %s: they start from %s to %s", p.Run, p.Within, at(first), at(last))
	}
	return requests, nil
}

// twice returns the name of a run of which two parts have a request, or "".
func twice(parts []Part, requests []services.Request) string {
	type request struct {
		run  string
		root int64
	}
	often := make(map[string]int)
	for _, p := range parts {
		often[p.Run]++
	}
	seen := make(map[request]bool)
	for i := range requests {
		key := request{parts[requests[i].Run].Run, requests[i].Seq}
		if often[key.run] < 2 {
			continue
		}
		if seen[key] {
			return key.run
		}
		seen[key] = true
	}
	return ""
}

// NamesOf are the names of the runs of parts, each once.
func NamesOf(parts []Part) (names []string) {
	for _, p := range parts {
		if !slices.Contains(names, p.Run) {
			names = append(names, p.Run)
		}
	}
	return names
}
