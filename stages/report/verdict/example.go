package verdict

import (
	"fmt"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// Example is a request that shows a finding: of its side, the candidate's where something takes longer, the one that spends most time there.
type Example struct {
	Finding int64  `json:"finding"`  // its number
	Run     string `json:"run"`      // name of the request's run
	Root    string `json:"root"`     // its root execution, as component.function#i, which critical-path takes
	Trace   string `json:"trace_id"` // as the trace has it
	Ns      int64  `json:"ns"`       // what the finding is about takes in it
	TotalNs int64  `json:"total_ns"` // from its start to its end
}

// exampleText names the request that shows a finding; "" where none is known.
//
//	trace 000000000000021c of run cand: 3.51 ms here of 5.66 ms; see web.GET /#28
func (r *Report) exampleText(f *schema.Finding) string {
	e, known := r.Examples[f.Finding]
	if !known {
		return ""
	}
	return fmt.Sprintf("trace %s of run %s: %s here of %s; see %s",
		texttab.Printable(e.Trace), e.Run, texttab.Duration(e.Ns), texttab.Duration(e.TotalNs), texttab.Printable(e.Root))
}

// exampleClause is exampleText behind another clause.
func (r *Report) exampleClause(f *schema.Finding) string {
	if text := r.exampleText(f); text != "" {
		return "; " + text
	}
	return ""
}

// examples lists the examples in the order of the findings.
func (r *Report) examples() (out []Example) {
	for i := range r.findings {
		if e, known := r.Examples[r.findings[i].Finding]; known {
			out = append(out, e)
		}
	}
	return out
}
