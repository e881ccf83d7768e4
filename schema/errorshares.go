package schema

// ErrorShare is how often a function failed on the two sides of a comparison. Only functions that failed in some run have a row, and
// only traces that say how executions ended have failures (NoteStatus). A caller fails as well where its span says so.
type ErrorShare struct {
	Component  string  `parquet:"component,id(2),dict" key:"yes" doc:"the component, in the candidate where it has the function"`
	Function   string  `parquet:"function,id(3),dict" key:"yes" doc:"the function"`
	Verdict    string  `parquet:"verdict,id(4),dict" doc:"fails_more, fails_less, unchanged, undetermined, or candidate (fewer than 3 runs on a side)"`
	CallsBase  int64   `parquet:"calls_base,id(5)" unit:"count" doc:"executions in all runs of the baseline"`
	FailedBase int64   `parquet:"failed_base,id(6)" unit:"count" doc:"of these, those that ended with an error"`
	CallsCand  int64   `parquet:"calls_cand,id(7)" unit:"count" doc:"executions in all runs of the candidate"`
	FailedCand int64   `parquet:"failed_cand,id(8)" unit:"count" doc:"of these, those that ended with an error"`
	Difference float64 `parquet:"difference,id(9)" unit:"1" doc:"share of the candidate's executions that failed, less that of the baseline's"`
	Lo         float64 `parquet:"lo,id(10)" unit:"1" doc:"lower bound of its interval, which excludes 0 where p is below 5 %"`
	Hi         float64 `parquet:"hi,id(11)" unit:"1" doc:"upper bound"`
	P          float64 `parquet:"p,id(12)" unit:"1" doc:"of no difference, by runs"`
	Q          float64 `parquet:"q,id(13)" unit:"1" doc:"p, adjusted for all functions that failed (Benjamini and Hochberg)"`
	Run        *string `parquet:"run,id(14),optional,dict" doc:"a run with an example: of the candidate if it fails there, else of the baseline"`
	Example    *int64  `parquet:"example,id(15),optional" unit:"-" doc:"the first execution that failed there, as in executions"`
}

var _ = declare[ErrorShare](TableDoc{
	Name: "error_shares", Follows: "contributions", Doc: "How often functions failed on both sides of a comparison, as far as spans have a status.",
	Grain: "one function that failed in some run", Partition: "comparison",
})

// The verdicts on how often a function fails, beside Unchanged, Undetermined and Candidate.
const (
	FailsMore = "fails_more"
	FailsLess = "fails_less"
)
