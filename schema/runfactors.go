package schema

// RunFactor is what all functions of one run of a comparison have in common: the machine, the build, or the state that both were in.
// It is taken out before functions are compared.
type RunFactor struct {
	Run    string  `parquet:"run,dict" key:"yes" doc:"the run"`
	Side   string  `parquet:"side,dict" doc:"base or cand"`
	Factor float64 `parquet:"factor" unit:"1" doc:"by which all functions took longer than in the mean of all runs"`
	SE     float64 `parquet:"se" unit:"1" doc:"standard error of the logarithm of the factor"`
	Voters int64   `parquet:"voters" unit:"count" doc:"functions that seem not to have changed, by which the factor is estimated"`
}

// The sides of a comparison, as RunFactor.Side names them.
const (
	SideBase = "base"
	SideCand = "cand"
)

var _ = declare[RunFactor](TableDoc{
	Name: "run_factors", Follows: "estimates", Doc: "What all functions of a run of a comparison have in common.",
	Grain: "one run of a comparison", Partition: "comparison",
})
