package serve

import (
	"fmt"
	"math"
	"net/http"
	"strconv"
	"strings"

	"github.com/tracelake/tracelake/pipeline/views"
	"github.com/tracelake/tracelake/schema"
)

// openRun opens the run that a request names.
func (s *site) openRun(r *http.Request) (*views.Run, error) {
	name := r.PathValue("name")
	if _, err := s.partition("run", name); err != nil {
		return nil, err
	}
	return views.Open(r.Context(), s.lake, s.cache, name)
}

// lanes lists the lifelines of a run.
func (s *site) lanes(r *http.Request) (any, error) {
	run, err := s.openRun(r)
	if err != nil {
		return nil, err
	}
	lanes, err := run.Lanes()
	if by := r.URL.Query().Get("by"); by != "" && err == nil {
		var groups *views.Groups
		if groups, err = run.Grouped(by); err == nil {
			lanes = groups.Lanes()
		}
	}
	if err != nil {
		return nil, err
	}
	return struct {
		Run        string            `json:"run"`
		Version    string            `json:"version"`  // of the list: other requests name it
		StartNs    string            `json:"start_ns"` // as text: a number of JavaScript is not exact there
		DurationNs int64             `json:"duration_ns"`
		Labels     map[string]string `json:"labels"`
		Lanes      []views.Lane      `json:"lanes"`
	}{run.Name, run.Version(), strconv.FormatInt(run.StartNs, 10), run.DurationNs, run.Labels, lanes}, nil
}

// ask reads which window of which lanes is asked for.
func (s *site) ask(r *http.Request) (run *views.Run, a views.Ask, err error) {
	if run, err = s.openRun(r); err != nil {
		return nil, a, err
	}
	if v := r.URL.Query().Get("version"); v != "" && v != run.Version() {
		return nil, a, badRequest("the run was analyzed again: load its lanes anew")
	}
	var pixels int64
	for _, p := range []struct {
		into           *int64
		name           string
		least, initial int64
		most           int64
	}{
		{&a.FromNs, "from", math.MinInt64 / 4, 0, math.MaxInt64 / 4}, {&a.ToNs, "to", math.MinInt64 / 4, run.DurationNs, math.MaxInt64 / 4},
		{&pixels, "pixels", 1, 1600, 16384}, {&a.Depths, "depths", 1, 1, 1 << 20},
	} {
		if *p.into, err = number(r, p.name, p.least, p.most, p.initial); err != nil {
			return nil, a, err
		}
	}
	if a.ToNs < a.FromNs {
		return nil, a, badRequest("the window ends before it begins")
	}
	a.Pixels = int(pixels)
	a.Lanes, err = places(r.URL.Query().Get("lanes"))
	return run, a, err
}

// mostLanes is how many lanes a request may name.
const mostLanes = 4096

// places reads a list of places and ranges: 0-39,45.
func places(text string) (all []int, err error) {
	if text == "" {
		return nil, nil
	}
	for _, part := range strings.Split(text, ",") {
		first, last, isRange := strings.Cut(part, "-")
		if !isRange {
			last = first
		}
		from, err := strconv.ParseUint(first, 10, 31)
		to, fault := strconv.ParseUint(last, 10, 31)
		if err != nil || fault != nil || to < from || to-from >= mostLanes || len(all)+int(to-from) >= mostLanes {
			return nil, badRequest(fmt.Sprintf("lanes=%s: places in the list of lanes, at most %d, as 0-39,45", strconv.Quote(text), mostLanes))
		}
		for ; from <= to; from++ {
			all = append(all, int(from))
		}
	}
	return all, nil
}

// messages returns the slowest messages between the lanes of a window.
func (s *site) messages(r *http.Request) (any, error) {
	run, a, err := s.ask(r)
	if err != nil {
		return nil, err
	}
	most, err := number(r, "most", 0, 20000, 2000)
	if err != nil {
		return nil, err
	}
	return run.Messages(a, int(most))
}

// execution returns all that the lake says of an execution: id is that of its enter event, or at one of its events.
func (s *site) execution(r *http.Request) (any, error) {
	run, err := s.openRun(r)
	if err != nil {
		return nil, err
	}
	id, err := number(r, "id", math.MinInt64, math.MaxInt64, 0)
	if err != nil {
		return nil, err
	}
	near, err := number(r, "near", math.MinInt64/4, math.MaxInt64/4, schema.NoValue)
	if err != nil {
		return nil, err
	}
	if r.URL.Query().Get("at") == "" {
		return run.Execution(id, near)
	}
	seq, err := number(r, "at", math.MinInt64, math.MaxInt64, 0)
	if err != nil {
		return nil, err
	}
	return run.ExecutionAt(seq, near)
}

// related returns what stands around an execution.
func (s *site) related(r *http.Request) (any, error) {
	x, err := s.execution(r)
	if err != nil {
		return nil, err
	}
	run, err := s.openRun(r)
	if err != nil {
		return nil, err
	}
	return run.Related(x.(*views.Execution))
}
