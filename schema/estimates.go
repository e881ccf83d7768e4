package schema

// Estimate is the result of comparing runs with runs in one quantity of a change. Costs and locations are in ns, counts
// are numbers; costs and counts are per root execution. A shape stands for the quantile with the minimum p.
type Estimate struct {
	Rank         int64    `parquet:"rank,id(2)" key:"yes" unit:"-" doc:"rank of the change"`
	Quantity     string   `parquet:"quantity,id(3),dict" key:"yes" doc:"cost and count, per root execution; location: the median; shape: the quantile with the minimum p; arrival: the mean time since the start of the fragment"`
	Quantile     *float64 `parquet:"quantile,id(4),optional" unit:"1" doc:"of a shape: which"`
	Family       string   `parquet:"family,id(5),dict" doc:"what is tested together: quantity and component"`
	Base         float64  `parquet:"base,id(6)" unit:"ns or count" doc:"value of the typical run of the baseline: ns, or a number"`
	Cand         float64  `parquet:"cand,id(7)" unit:"ns or count" doc:"the same of the candidate"`
	Ratio        float64  `parquet:"ratio,id(8)" unit:"1" doc:"cand / base, after both are raised by the resolution"`
	RatioLo      float64  `parquet:"ratio_lo,id(9)" unit:"1" doc:"lower end of its 95 % interval"`
	RatioHi      float64  `parquet:"ratio_hi,id(10)" unit:"1" doc:"upper end of its 95 % interval"`
	Margin       float64  `parquet:"margin,id(11)" unit:"1" doc:"ratio beyond which a change counts"`
	DF           float64  `parquet:"df,id(12)" unit:"1" doc:"degrees of freedom, the prior's included"`
	P            float64  `parquet:"p,id(13)" unit:"1" doc:"p of no change beyond the margin (TREAT)"`
	Q            float64  `parquet:"q,id(14)" unit:"1" doc:"p after two-level Benjamini-Hochberg"`
	EquivalenceP float64  `parquet:"equivalence_p,id(15)" unit:"1" doc:"p of a change of the margin or more (two one-sided tests)"`
	RunsNeeded   int64    `parquet:"runs_needed,id(16)" unit:"count" doc:"runs per side that would show a change of the margin, or its absence"`
}

var _ = declare[Estimate](TableDoc{
	Name: "estimates", Follows: "findings", Doc: "The result of comparing runs with runs in every quantity of a change.",
	Grain: "one quantity of a change", Partition: "comparison",
})

// RunFactor is what all functions of one run of a comparison have in common: the machine, the build, or the state that both were in.
// It is taken out before functions are compared.
type RunFactor struct {
	Run    string  `parquet:"run,id(2),dict" key:"yes" doc:"the run"`
	Side   string  `parquet:"side,id(3),dict" doc:"base or cand"`
	Factor float64 `parquet:"factor,id(4)" unit:"1" doc:"by which all functions took longer than in the mean of all runs"`
	SE     float64 `parquet:"se,id(5)" unit:"1" doc:"standard error of the logarithm of the factor"`
	Voters int64   `parquet:"voters,id(6)" unit:"count" doc:"functions that seem not to have changed, by which the factor is estimated"`
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
