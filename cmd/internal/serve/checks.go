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
		Checks   []jsonrows.Row `json:"checks"` // rows of the table checks; times of failures count from the run's first event
		Failures []failure      `json:"failures"`
		Kept     bool           `json:"kept"`    // it is known where they hold over time
		Missing  string         `json:"missing"` // what makes checks, or makes it known where they hold; empty where nothing lacks
	}{[]jsonrows.Row{}, []failure{}, false, ""}
	if v.Table("checks") == nil || v.Table("check_failures") == nil || v.Table("runs") == nil {
		out.Missing = "analyze check " + name + " --spec FILE.etl"
		return out, nil
	}
	if t := v.Table("check_intervals"); t != nil && t.Rows() > 0 {
		out.Kept = true
	} else {
		out.Missing = "analyze check " + name + " --spec FILE.etl --intervals"
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

// held says where a check, or a definition in it, holds over time: stretches one after the other.
type held struct {
	Spec       string  `json:"spec"`
	Check      string  `json:"check"`
	Value      string  `json:"value"`      // of its foralls; "" without any
	Definition string  `json:"definition"` // "" for what the check asks at every state
	FromNs     []int64 `json:"from_ns"`    // since the run's first event
	ToNs       []int64 `json:"to_ns"`
	Holds      []bool  `json:"holds"`
}

// mostStretches is how many stretches a picture is sent.
const mostStretches = 50_000

// stretches returns where a check of a run and its definitions hold over time; without a parameter check, where all checks do that are broken somewhere,
// without definitions.
func (s *site) stretches(r *http.Request) (any, error) {
	name, check := r.PathValue("name"), r.URL.Query().Get("check")
	v, err := s.partition("run", name)
	if err != nil {
		return nil, err
	}
	out := struct {
		Held  []held `json:"held"`
		Total int    `json:"total"` // stretches, also those that are not sent
	}{Held: []held{}}
	if v.Table("check_intervals") == nil || v.Table("runs") == nil {
		return out, nil
	}
	p := lake.Run(name)
	described, err := lake.Read[schema.Run](s.lake, "runs", p)
	if err != nil {
		return nil, err
	}
	broken := make(map[[3]string]bool)
	if check == "" {
		err = lake.ReadEach(s.lake, "checks", p, func(c *schema.CheckResult) {
			broken[[3]string{c.Spec, c.Check, c.Value}] = c.Failures > 0 || c.Verdict == "BAD" || c.Verdict == "STILL_FALSE"
		})
		if err != nil {
			return nil, err
		}
	}
	err = lake.ReadEach(s.lake, "check_intervals", p, func(i *schema.CheckInterval) {
		if check != "" && i.Check != check || check == "" && (i.Definition != "" || !broken[[3]string{i.Spec, i.Check, i.Value}]) {
			return
		}
		if out.Total++; out.Total > mostStretches {
			return
		}
		last := len(out.Held) - 1
		if last < 0 || out.Held[last].Spec != i.Spec || out.Held[last].Check != i.Check || out.Held[last].Value != i.Value || out.Held[last].Definition != i.Definition {
			out.Held = append(out.Held, held{Spec: i.Spec, Check: i.Check, Value: i.Value, Definition: i.Definition})
			last++
		}
		h := &out.Held[last]
		h.FromNs, h.ToNs, h.Holds = append(h.FromNs, i.FromNs-described[0].StartNs), append(h.ToNs, i.ToNs-described[0].StartNs), append(h.Holds, i.Truth)
	})
	return out, err
}
