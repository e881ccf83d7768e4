package serve

import (
	"compress/gzip"
	"context"
	"fmt"
	"net/http"
	"strings"

	"github.com/tracelake/tracelake/cmd/internal/report"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/runs"
	"github.com/tracelake/tracelake/pipeline/views"
)

// kept is a report as it is sent.
type kept struct{ plain, packed []byte }

// report answers with the report of a comparison or a run, which is one document with its script and its data. It has a policy of its own, which
// lets run this script alone and load nothing.
func (s *site) report(w http.ResponseWriter, r *http.Request) {
	r, end := s.underWay.begin(r)
	defer end()
	name := r.PathValue("name")
	err := s.reportable(name)
	var page *kept
	if err == nil {
		page, err = s.reportOf(r.Context(), name)
	}
	if err = why(r, err); err != nil {
		code, sentence := told(err)
		refuse(w, code, sentence)
		return
	}
	h := w.Header()
	h.Set("Content-Security-Policy", "frame-ancestors 'none'")
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Vary", "Accept-Encoding")
	if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		h.Set("Content-Encoding", "gzip")
		w.Write(page.packed)
		return
	}
	w.Write(page.plain)
}

// reportOf makes a report, or takes the one that was made before while nothing that it shows has changed. It takes seconds to make, so it is kept
// among what is decoded, and forgotten like that.
func (s *site) reportOf(ctx context.Context, name string) (*kept, error) {
	key, err := s.shownBy(name)
	if err != nil {
		return nil, err
	}
	if page, has := views.Kept[*kept](s.cache, key); has {
		return page, nil
	}
	release, err := s.alone(ctx)
	if err != nil {
		return nil, err
	}
	defer release()
	if page, has := views.Kept[*kept](s.cache, key); has { // somebody else asked for it meanwhile
		return page, nil
	}
	plain, err := report.Page(ctx, s.globals, s.lake, name)
	if err != nil {
		return nil, err
	}
	page := &kept{plain, gzipped(plain, gzip.BestSpeed)}
	views.Put(s.cache, key, page, int64(cap(page.plain)+cap(page.packed)))
	return page, nil
}

// shownBy is a text that changes whenever a partition does that the report of a comparison or a run shows.
func (s *site) shownBy(name string) (string, error) {
	shown := []lake.Partition{lake.Run(name)}
	if _, err := s.partition("comparison", name); err == nil {
		of, err := runs.ComparedRuns(s.lake, name)
		if err != nil {
			return "", err
		}
		shown = []lake.Partition{lake.Comparison(name)}
		for _, run := range of {
			shown = append(shown, lake.Run(run))
		}
	}
	stamps, err := s.lake.Stamps()
	if err != nil {
		return "", err
	}
	key := []string{"report"}
	for _, p := range shown {
		key = append(key, fmt.Sprintf("%s %s", p, stamps[p.String()]))
	}
	return strings.Join(key, "\n"), nil
}
