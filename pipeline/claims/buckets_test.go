package claims

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// TestBuckets reads generated pipelines whose executions lie in one bucket, and then in a bucket for each lifeline: the claims are the same.
func TestBuckets(t *testing.T) {
	for name, files := range cases(t) {
		l, names := loaded(t, files["etf"])
		want := inWords(expect.Value(Read(t.Context(), l, names, 0))(t))
		of := make(map[schema.Code]*schema.Executions)
		var order []schema.Code
		e := schema.NewExecutions(new(schema.Names))
		expect.OK(t, l.ScanTable(t.Context(), "executions", "a", e, lake.ScanOptions{}, func() error {
			for i, lifeline := range e.Lifeline {
				if of[lifeline] == nil {
					of[lifeline] = schema.NewExecutions(e.Names)
					order = append(order, lifeline)
				}
				schema.AppendRows(of[lifeline], e, i, i+1)
			}
			return nil
		}))
		fingerprint := strings.Repeat("0", 64)
		s := expect.Value(l.Stage("test", lake.Run("a"), fingerprint))(t)
		m := &lake.Manifest{Table: "executions", Stage: "test", Fingerprint: fingerprint}
		for bucket, lifeline := range order {
			w := expect.Value(s.CreateTable("executions", bucket, 0, of[lifeline]))(t)
			expect.OK(t, w.Finish(of[lifeline]))
			m.Files = append(m.Files, w.File)
		}
		expect.OK(t, s.Commit(m))
		if len(m.Files) < 3 {
			t.Errorf("%s: only %d buckets", name, len(m.Files))
		}
		expect.Equal(t, inWords(expect.Value(Read(t.Context(), l, names, 0))(t)), want, "claims of %s", name)
	}
}

// inWords are the claims of the only run of a set, with their attributes, and its dependencies.
func inWords(s *Set) string {
	r := s.Runs[0]
	text := fmt.Sprintln(r.Dependency)
	for i, seq := range r.Execution {
		text += fmt.Sprintln(seq, r.ID[i], r.Amount[i], r.StartNs[i], r.EndNs[i], s.Text(r, i, nil), s.Text(r, i, BuiltIn))
	}
	return text
}
