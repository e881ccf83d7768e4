package serve

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/tracelake/tracelake/cmd/internal/report"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/report/jsonrows"
)

// summary is what a comparison of runs says in a sentence.
type summary struct {
	Verdict string   `json:"verdict"` // such as "REGRESSED"
	Summary string   `json:"summary"` // the same in a sentence, as analyze compare prints it
	Base    []string `json:"base"`    // runs of the baseline
	Cand    []string `json:"cand"`    // runs of the candidate
}

// verdict returns the verdict on a comparison of runs. It rests on all changes, so it is kept until the comparison is made again.
func (s *site) verdict(r *http.Request) (any, error) {
	name := r.PathValue("name")
	v, err := s.partition("comparison", name)
	if err != nil {
		return nil, err
	}
	findings := v.Table("findings")
	if findings == nil {
		return nil, notFound(fmt.Sprintf("%s has no findings: make them with analyze compare", name))
	}
	key := name + " " + findings.Fingerprint
	if known, has := s.verdicts.Load(key); has {
		return known, nil
	}
	if err := s.roomFor(v, name, timesVerdict); err != nil {
		return nil, err
	}
	release, err := s.alone(r.Context())
	if err != nil {
		return nil, err
	}
	defer release()
	word, sentence, spec, err := report.Verdict(r.Context(), s.globals, s.lake, name)
	if err != nil {
		return nil, err
	}
	made := &summary{word, sentence, spec.Base, spec.Cand}
	s.verdicts.Store(key, made)
	return made, nil
}

// comparison returns the findings of a comparison, and its changes by rank, a page at a time: from skips so many of them, and most is how many there
// are at most. Rows are those of the tables, with the names of their columns.
func (s *site) comparison(r *http.Request) (any, error) {
	name := r.PathValue("name")
	v, err := s.partition("comparison", name)
	if err != nil {
		return nil, err
	}
	if v.Table("findings") == nil || v.Table("changes") == nil {
		return nil, notFound(fmt.Sprintf("%s has no findings: make them with analyze compare", name))
	}
	from, err := number(r, "from", 0, 1<<40, 0)
	if err != nil {
		return nil, err
	}
	most, err := number(r, "most", 0, 10000, 500)
	if err != nil {
		return nil, err
	}
	p := lake.Comparison(name)
	findings, err := lake.Read[schema.Finding](s.lake, "findings", p)
	if err != nil {
		return nil, err
	}
	var changes []schema.Change
	total := int64(0)
	err = lake.ReadEach(s.lake, "changes", p, func(c *schema.Change) {
		if total >= from && total < from+most {
			changes = append(changes, *c)
		}
		total++
	})
	var shares []schema.ErrorShare
	if v.Table("error_shares") != nil {
		var fault error
		shares, fault = lake.Read[schema.ErrorShare](s.lake, "error_shares", p)
		err = errors.Join(err, fault)
	}
	return struct {
		Comparison string         `json:"comparison"`
		Findings   []jsonrows.Row `json:"findings"`
		Changes    []jsonrows.Row `json:"changes"`
		Total      int64          `json:"total"` // changes, of which these are a page
		Errors     []jsonrows.Row `json:"errors"`
	}{name, jsonrows.ByColumn(findings), jsonrows.ByColumn(changes), total, jsonrows.ByColumn(shares)}, err
}
