package serve

import (
	"net/http"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/report/jsonrows"
)

// failure is a state at which a check fails. Its time counts from the run's first event.
type failure struct {
	Check    int    `json:"check"` // place among the checks
	Seq      int64  `json:"seq"`
	Ns       int64  `json:"ns"`
	Function string `json:"function"`
	DelayNs  *int64 `json:"delay_ns"`  // until the answer; null where none came, or without a bound
	ExcessNs *int64 `json:"excess_ns"` // outside of the bound; null without one
}

// checks returns what a run says of the specifications that analyze check held it against, and where it breaks them. A run that was held against
// none has no checks, and says what makes some.
func (s *site) checks(r *http.Request) (any, error) {
	name := r.PathValue("name")
	v, err := s.partition("run", name)
	if err != nil {
		return nil, err
	}
	out := struct {
		Checks   []map[string]any `json:"checks"` // rows of the table checks; times of failures count from the run's first event
		Failures []failure        `json:"failures"`
		Missing  string           `json:"missing"` // what makes checks; empty where there are some
	}{[]map[string]any{}, []failure{}, ""}
	if v.Table("checks") == nil || v.Table("check_failures") == nil || v.Table("runs") == nil {
		out.Missing = "analyze check " + name + " --spec FILE.etl"
		return out, nil
	}
	p := lake.Run(name)
	described, err := lake.Read[schema.Run](s.lake, "runs", p)
	if err != nil {
		return nil, err
	}
	held, err := lake.Read[schema.CheckResult](s.lake, "checks", p)
	if err != nil {
		return nil, err
	}
	places := make(map[[3]string]int)
	for i := range held {
		places[[3]string{held[i].Spec, held[i].Check, held[i].Value}] = i
		if at := held[i].FirstFailureNs; at != nil {
			*at -= described[0].StartNs
		}
	}
	out.Checks = jsonrows.ByColumn(held)
	err = lake.ReadEach(s.lake, "check_failures", p, func(f *schema.CheckFailure) {
		if at, known := places[[3]string{f.Spec, f.Check, f.Value}]; known {
			out.Failures = append(out.Failures, failure{at, f.Seq, f.TimeNs - described[0].StartNs, f.Component + "." + f.Function, f.DelayNs, f.ExcessNs})
		}
	})
	return out, err
}
