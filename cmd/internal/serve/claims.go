package serve

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/tracelake/tracelake/cmd/internal/claims"
	"github.com/tracelake/tracelake/pipeline/views"
)

// listed reads a parameter that is a list of names.
func listed(r *http.Request, name string) []string {
	if text := r.URL.Query().Get(name); text != "" {
		return strings.Split(text, ",")
	}
	return nil
}

// behaviours returns which items of a run, the values of the attribute item, were treated alike.
func (s *site) behaviours(r *http.Request) (any, error) {
	name := r.PathValue("name")
	if _, err := s.partition("run", name); err != nil {
		return nil, err
	}
	item := r.URL.Query().Get("item")
	if item == "" {
		return nil, badRequest("item is empty: name the attribute whose values are items")
	}
	release, err := s.alone(r.Context())
	if err != nil {
		return nil, err
	}
	defer release()
	found, err := claims.Behaviours(r.Context(), s.globals, s.lake, name, item, listed(r, "by"))
	return json.RawMessage(found), err
}

// durations returns how long the claims of a run take, and of those that with names, grouped by attributes, with histograms.
func (s *site) durations(r *http.Request) (any, error) {
	names := append([]string{r.PathValue("name")}, listed(r, "with")...)
	for _, name := range names {
		if _, err := s.partition("run", name); err != nil {
			return nil, err
		}
	}
	release, err := s.alone(r.Context())
	if err != nil {
		return nil, err
	}
	defer release()
	return claims.Durations(r.Context(), s.globals, s.lake, names, listed(r, "by"))
}

// mostTold is how many executions a run may have whose behaviours or differences are found for a picture, since all of them are in memory.
const mostTold = 1 << 19

// differing is the difference of a run from a reference with what is said of every execution.
type differing struct {
	*claims.Differing
	given *views.Given
}

// differenceFrom compares the order of a run with that of a reference, or takes the result from the cache.
func (s *site) differenceFrom(r *http.Request, run *views.Run, reference string, by []string) (*differing, error) {
	if _, err := s.partition("run", reference); err != nil {
		return nil, err
	}
	other, err := views.Open(r.Context(), s.lake, s.cache, reference)
	if err != nil {
		return nil, err
	}
	if n := run.Executions + other.Executions; n > mostTold {
		return nil, badRequest(fmt.Sprintf("these runs have %d executions; differences of up to %d are shown: analyze distance has no such bound", n, mostTold))
	}
	key := fmt.Sprintf("%s#from %s %q", run.Inputs(), other.Inputs(), by)
	return views.Keep(s.cache, key, func() (*differing, int64, error) {
		d, err := claims.DifferenceOf(r.Context(), s.globals, s.lake, reference, run.Name, by)
		if err != nil {
			return nil, 0, err
		}
		g := views.NewGiven(d.Words.Executions, d.Words.Places, d.Words.Words)
		d.Words = nil
		return &differing{d, g}, g.Bytes(), nil
	})
}

// difference returns how the order of a run differs from that of the run from.
func (s *site) difference(r *http.Request) (any, error) {
	run, err := s.openRun(r)
	if err != nil {
		return nil, err
	}
	return s.differenceFrom(r, run, r.URL.Query().Get("from"), listed(r, "alike"))
}

// critical is what is critical in a run with what is said of every execution.
type critical struct {
	*claims.Criticality
	given *views.Given
}

// criticalOf finds what is critical in a run, or takes it from the cache. which is claims:EPSILON or dependencies:WEIGHT.
func (s *site) criticalOf(r *http.Request, run *views.Run, which string) (*critical, error) {
	if run.Executions > mostTold {
		return nil, badRequest(fmt.Sprintf("run %s has %d executions; critical claims of up to %d are shown: analyze critical-path --graph has no such bound", run.Name, run.Executions, mostTold))
	}
	return views.Keep(s.cache, fmt.Sprintf("%s#critical %q", run.Inputs(), which), func() (*critical, int64, error) {
		c, err := claims.CriticalOf(r.Context(), s.globals, s.lake, run.Name, which)
		if err != nil {
			return nil, 0, err
		}
		g := views.NewGiven(c.Words.Executions, c.Words.Places, c.Words.Words)
		c.Words = nil
		return &critical{c, g}, g.Bytes() + 17*int64(len(c.Edges.From)), nil
	})
}

// critical returns what is critical in a run.
func (s *site) critical(r *http.Request) (any, error) {
	run, err := s.openRun(r)
	if err != nil {
		return nil, err
	}
	return s.criticalOf(r, run, r.URL.Query().Get("of"))
}

// said finds what boxes are to have a value of: with attribute=NAME what the trace says, with behaviour=ITEM the number of the behaviour of the item, with
// difference=RUN how much the order differs from that of the run, with critical=GRAPH whether it is critical. alike=A,B are the attributes by which claims are equal. It is nil where nothing is asked for.
func (s *site) said(r *http.Request, run *views.Run) (*views.Given, error) {
	q := r.URL.Query()
	by := listed(r, "alike")
	switch {
	case q.Get("attribute") != "":
		return run.Attribute(q.Get("attribute"))
	case q.Get("difference") != "":
		d, err := s.differenceFrom(r, run, q.Get("difference"), by)
		if err != nil {
			return nil, err
		}
		return d.given, nil
	case q.Get("critical") != "":
		c, err := s.criticalOf(r, run, q.Get("critical"))
		if err != nil {
			return nil, err
		}
		return c.given, nil
	case q.Get("behaviour") != "":
		if run.Executions > mostTold {
			return nil, badRequest(fmt.Sprintf("run %s has %d executions; behaviours of up to %d are shown: analyze behaviours has no such bound", run.Name, run.Executions, mostTold))
		}
		item := q.Get("behaviour")
		return views.Keep(s.cache, fmt.Sprintf("%s#behaviours of %s %q", run.Inputs(), strconv.Quote(item), by), func() (*views.Given, int64, error) {
			w, err := claims.BehaviourOf(r.Context(), s.globals, s.lake, run.Name, item, by)
			if err != nil {
				return nil, 0, err
			}
			g := views.NewGiven(w.Executions, w.Places, w.Words)
			return g, g.Bytes(), nil
		})
	}
	return nil, nil
}
