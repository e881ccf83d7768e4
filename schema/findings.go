package schema

// The kinds of findings.
const (
	KindSlower   = "slower"        // every call takes longer, or less long
	KindCalled   = "called"        // it is called more often, or less
	KindBoth     = "slower+called" // both, neither less than a quarter of the whole
	KindTransit  = "transit"       // messages take longer on their way, or less long
	KindLateness = "lateness"      // the receiver is ready later, or earlier, by its own doing
	KindDiffuse  = "diffuse"       // a fragment as a whole, by many steps of which none is shown to have changed
	KindShape    = "shape"         // its distribution, and not its level
)

// MovedCost is the verdict on a finding whose time another one saves under the same caller: the caller is shown to be
// unchanged.
const MovedCost = "moved_cost"

// Finding is one root cause of a difference between baseline and candidate runs, with all that follows from it folded
// under it. Times are per root execution.
type Finding struct {
	Finding   int64  `parquet:"finding"`      // 1 is the greatest effect
	Verdict   string `parquet:"verdict,dict"` // Regressed, Improved, ShapeChanged, Candidate, Appeared, Vanished or MovedCost
	Minor     bool   `parquet:"minor"`        // its effect is below 1 % of the greatest one
	Kind      string `parquet:"kind,dict"`
	Level     string `parquet:"level,dict"` // of the change that is its root
	Rank      int64  `parquet:"rank"`       // of that change
	Component string `parquet:"component,dict"`
	Fragment  string `parquet:"fragment,optional,dict"`
	Subject   string `parquet:"subject,dict"`
	Function  string `parquet:"function,optional,dict"` // that runs in the step: where to look

	EffectNs   int64    `parquet:"effect_ns"`      // change of the cost, with its 95 % interval
	EffectLoNs int64    `parquet:"effect_lo_ns"`   //
	EffectHiNs int64    `parquet:"effect_hi_ns"`   //
	BaseNs     int64    `parquet:"base_ns"`        // cost of the typical run
	CandNs     int64    `parquet:"cand_ns"`        //
	SlowerNs   int64    `parquet:"slower_ns"`      // of the difference of the means: by the time of a call
	CalledNs   int64    `parquet:"called_ns"`      // by the number of calls
	CountBase  float64  `parquet:"count_base"`     //
	CountCand  float64  `parquet:"count_cand"`     //
	Share      *float64 `parquet:"share,optional"` // of the difference of all initial fragments that it explains; null where that is not shown
	Q          *float64 `parquet:"q,optional"`

	CriticalBaseNs *int64 `parquet:"critical_base_ns,optional"` // time of the function on critical paths
	CriticalCandNs *int64 `parquet:"critical_cand_ns,optional"` //

	Inherited   int64  `parquet:"inherited"`                // changes folded under it
	InheritedAt string `parquet:"inherited_at,optional"`    // the fragments that carry it, from the nearest to an initial one, separated by " < "
	MovedFrom   string `parquet:"moved_from,optional,dict"` // of MovedCost: the step at the other end; of a function in the place of another: that one
}

// Estimate is what runs compared with runs say about one quantity of a change. Costs and locations are in ns, counts
// are numbers, all per root execution but for locations; of a shape it is the quantile with the least p.
type Estimate struct {
	Rank         int64    `parquet:"rank"` // of the change
	Quantity     string   `parquet:"quantity,dict"`
	Quantile     *float64 `parquet:"quantile,optional"` // of a shape
	Family       string   `parquet:"family,dict"`       // quantity and component: what is tested together
	Base         float64  `parquet:"base"`              // of the typical run
	Cand         float64  `parquet:"cand"`              //
	Ratio        float64  `parquet:"ratio"`             // Cand / Base after both are raised by the resolution
	RatioLo      float64  `parquet:"ratio_lo"`          // 95 % interval
	RatioHi      float64  `parquet:"ratio_hi"`          //
	Margin       float64  `parquet:"margin"`            // the ratio beyond which a change counts
	DF           float64  `parquet:"df"`                // degrees of freedom, the prior's included
	P            float64  `parquet:"p"`                 // of no change beyond the margin
	Q            float64  `parquet:"q"`                 // after two-level Benjamini-Hochberg
	EquivalenceP float64  `parquet:"equivalence_p"`     // of a change of the margin or more
	RunsNeeded   int64    `parquet:"runs_needed"`       // a side, to show a change of the margin or its absence
}
