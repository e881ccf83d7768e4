package schema

// Contribution is what one function contributes to the difference between the sides of a comparison: its own time per root
// execution, as the mean of the runs of a side. All contributions of a comparison add up to the difference of the own times of all
// functions, so that a reader can reconcile findings with totals. What all functions of a run have in common (RunFactor) is told
// apart: cand_ns - base_ns = common_ns + difference_ns.
type Contribution struct {
	Component string `parquet:"component,id(2),dict" key:"yes" doc:"the component, in the candidate where it has the function"`
	Function  string `parquet:"function,id(3),dict" key:"yes" doc:"the function"`
	MovedFrom string `parquet:"moved_from,id(4),optional,dict" doc:"of a function that lies in another component in the candidate, or has another name there: component.function in the baseline, several with and between where they became one"`
	Verdict   string `parquet:"verdict,id(5),dict" doc:"as in changes; not_asked: it costs too little, or only some runs of a side have it"`
	Finding   *int64 `parquet:"finding,id(6),optional" unit:"-" doc:"the finding that it belongs to"`

	BaseNs        int64   `parquet:"base_ns,id(7)" doc:"own time, mean of the baseline's runs"`
	CandNs        int64   `parquet:"cand_ns,id(8)" doc:"own time, mean of the candidate's runs"`
	CommonNs      int64   `parquet:"common_ns,id(9)" doc:"of their difference: what all functions of a run have in common; 0 of functions that wait instead of working"`
	DifferenceNs  int64   `parquet:"difference_ns,id(10)" doc:"of their difference: the rest, which is the function's own"`
	LongestBaseNs int64   `parquet:"longest_base_ns,id(13)" doc:"of base_ns: the longest call of each run"`
	LongestCandNs int64   `parquet:"longest_cand_ns,id(14)" doc:"of cand_ns: the longest call of each run"`
	CallsBase     float64 `parquet:"calls_base,id(11)" unit:"count" doc:"calls, mean of the baseline's runs"`
	CallsCand     float64 `parquet:"calls_cand,id(12)" unit:"count" doc:"calls, mean of the candidate's runs"`
}

var _ = declare[Contribution](TableDoc{
	Name: "contributions", Follows: "findings", Doc: "What every function contributes to the difference between baseline and candidate runs; the contributions add up to it.",
	Grain: "one function of a comparison; times are per root execution", Partition: "comparison",
})
