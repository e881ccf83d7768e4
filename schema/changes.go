package schema

// The normalisations of time samples (Hilbig 2023, section 3.2), as Change.Normalisation names them.
const (
	NormAbsolute         = "absolute"          // Samples.TimeNs
	NormRelative         = "relative"          // Samples.SincePreviousNs
	NormStackBased       = "stack_based"       // Samples.SinceCallNs
	NormFragmentAbsolute = "fragment_absolute" // Samples.SinceStartNs
)

// The levels at which a comparison looks for changes.
const (
	LevelFragment     = "fragment"
	LevelTransition   = "transition"
	LevelMetric       = "metric"
	LevelCriticalPath = "critical_path"
)

// The verdicts on a subject that follow from comparing runs with runs.
const (
	Regressed    = "regressed"     // it takes longer by more than the margin, or it costs more because it happens more often
	Improved     = "improved"      // the opposite
	ShapeChanged = "shape_changed" // neither, but some quantile changed by more than the margin
	CountChanged = "count_changed" // neither, but it happens more or less often
	Later        = "later"         // its own time is not shown to change, but it is reached later, by an earlier step's doing
	Sooner       = "sooner"        // the opposite
	Unchanged    = "unchanged"     // whatever changed is shown to be within the margin; of a test on samples: nothing was found
	Undetermined = "undetermined"  // so many runs can show neither
	Candidate    = "candidate"     // too few runs for a verdict: it stands out from the noise, and that is all
	Appeared     = "appeared"      // only the candidate has it
	Vanished     = "vanished"      // only the baseline has it
)

// The verdicts on a subject that follow from tests on its pooled samples (Hilbig 2023, section 3.5).
const (
	Slower  = "slower"
	Faster  = "faster"
	Changed = "changed" // the distribution changed and neither side is plainly slower
)

// The quantities of a subject that are compared between runs.
const (
	QuantityCost     = "cost"     // all its time, per root execution
	QuantityLocation = "location" // the median of its values
	QuantityShape    = "shape"    // the quantiles of its values
	QuantityArrival  = "arrival"  // of a transition: its mean time since the start of the fragment
	QuantityCount    = "count"    // how often it happens, per root execution
)

// The statuses of a match.
const (
	InBoth = "both"
	InBase = "base"
	InCand = "cand"
)

// Change is what a comparison of baseline runs with candidate runs says about one subject: a service
// fragment that appeared, vanished or moved, a transition of its automaton, a timing metric (Hilbig 2023, section 3.5), or a part of the
// critical paths of an initial fragment. The samples of such a part are its totals, one for every run.
// Optional numbers are pointers because 0 is a value; an empty optional text is null.
type Change struct {
	Level          string `parquet:"level,dict"` // LevelFragment, LevelTransition, LevelMetric or LevelCriticalPath
	Component      string `parquet:"component,dict"`
	Fragment       string `parquet:"fragment,optional,dict"`      // null for a metric of a component
	CandFragment   string `parquet:"cand_fragment,optional,dict"` // of one that moved: its name in the candidate
	Subject        string `parquet:"subject,dict"`                // readable: "exit Curl_poll send to lib_multi_c", the metric, or "execution lens.solve"
	Metric         string `parquet:"metric,optional,dict"`
	Transition     *int64 `parquet:"transition,optional"`      // its number in the baseline
	CandTransition *int64 `parquet:"cand_transition,optional"` // its number in the candidate
	Function       string `parquet:"function,optional,dict"`
	Kind           string `parquet:"kind,optional,dict"`
	Direction      string `parquet:"direction,optional,dict"`
	Peer           string `parquet:"peer,optional,dict"`
	Normalisation  string `parquet:"normalisation,optional,dict"`
	PositionNs     *int64 `parquet:"position_ns,optional"` // of a transition: its median time since the start of the fragment

	NBase       int64 `parquet:"n_base"` // samples
	NCand       int64 `parquet:"n_cand"`
	RunsBase    int64 `parquet:"runs_base"`
	RunsCand    int64 `parquet:"runs_cand"`
	TotalBaseNs int64 `parquet:"total_base_ns"` // sum of the samples
	TotalCandNs int64 `parquet:"total_cand_ns"`

	MinBaseNs    *int64 `parquet:"min_base_ns,optional"` // null where the side has no sample
	Q25BaseNs    *int64 `parquet:"q25_base_ns,optional"`
	MedianBaseNs *int64 `parquet:"median_base_ns,optional"`
	Q75BaseNs    *int64 `parquet:"q75_base_ns,optional"`
	MaxBaseNs    *int64 `parquet:"max_base_ns,optional"`
	MeanBaseNs   *int64 `parquet:"mean_base_ns,optional"`
	MinCandNs    *int64 `parquet:"min_cand_ns,optional"`
	Q25CandNs    *int64 `parquet:"q25_cand_ns,optional"`
	MedianCandNs *int64 `parquet:"median_cand_ns,optional"`
	Q75CandNs    *int64 `parquet:"q75_cand_ns,optional"`
	MaxCandNs    *int64 `parquet:"max_cand_ns,optional"`
	MeanCandNs   *int64 `parquet:"mean_cand_ns,optional"`

	AbsNs       int64    `parquet:"abs_ns"`         // TotalCandNs - TotalBaseNs
	Ratio       *float64 `parquet:"ratio,optional"` // TotalCandNs / TotalBaseNs
	KsD         *float64 `parquet:"ks_d,optional"`  // Kolmogorov-Smirnov
	KsP         *float64 `parquet:"ks_p,optional"`
	MwuU        *float64 `parquet:"mwu_u,optional"` // Mann-Whitney U
	MwuP        *float64 `parquet:"mwu_p,optional"`
	Shift       string   `parquet:"shift,optional,dict"`  // "up", "down", or null
	HlShiftNs   *int64   `parquet:"hl_shift_ns,optional"` // Hodges-Lehmann estimate of the shift
	CliffsDelta *float64 `parquet:"cliffs_delta,optional"`

	FiredAbs   bool `parquet:"fired_abs"` // whether each method saw a change
	FiredRel   bool `parquet:"fired_rel"`
	FiredKs    bool `parquet:"fired_ks"`
	FiredMwu   bool `parquet:"fired_mwu"`
	FiredShift bool `parquet:"fired_shift"`
	FiredDyn   bool `parquet:"fired_dyn"`

	Method   string `parquet:"method,optional,dict"` // the method that decided
	Detected bool   `parquet:"detected"`
	Verdict  string `parquet:"verdict,dict"`

	Quantity     string   `parquet:"quantity,optional,dict"` // of runs compared with runs: the quantity that decided
	EffectNs     *int64   `parquet:"effect_ns,optional"`     // change of the cost per root execution, as the typical run has it
	EffectLoNs   *int64   `parquet:"effect_lo_ns,optional"`  // 95 % interval of it
	EffectHiNs   *int64   `parquet:"effect_hi_ns,optional"`  //
	CostBaseNs   *int64   `parquet:"cost_base_ns,optional"`  // cost per root execution of the typical run
	CostCandNs   *int64   `parquet:"cost_cand_ns,optional"`  //
	CountBase    *float64 `parquet:"count_base,optional"`    // how often per root execution, mean of the runs
	CountCand    *float64 `parquet:"count_cand,optional"`    //
	P            *float64 `parquet:"p,optional"`             // of no change beyond the margin, in the quantity that decided
	Q            *float64 `parquet:"q,optional"`             // P after two-level Benjamini-Hochberg
	EquivalenceP *float64 `parquet:"equivalence_p,optional"` // of a change of the margin or more
	RunsNeeded   *int64   `parquet:"runs_needed,optional"`   // of an undetermined one: runs a side that would decide
	Finding      *int64   `parquet:"finding,optional"`       // the finding that it belongs to

	StepBaseNs *int64 `parquet:"step_base_ns,optional"` // of a transition: time between the event before it and it, per run
	StepCandNs *int64 `parquet:"step_cand_ns,optional"`

	CriticalBaseNs *int64 `parquet:"critical_base_ns,optional"` // on critical paths of initial fragments, per run: time of the function that runs in the step
	CriticalCandNs *int64 `parquet:"critical_cand_ns,optional"`

	ImpactNs  int64  `parquet:"impact_ns"`                // change of the step's time per run where the component did not wait in it, or of a part of critical paths
	RootCause string `parquet:"root_cause,optional,dict"` // "own time", "waits for lib_x.f", "earlier step", "other steps", or null
	Rank      int64  `parquet:"rank"`                     // 1 is the greatest impact
}

// Match pairs a service fragment of the baseline, or a transition of its automaton, with its counterpart in the
// candidate. A transition has the number that it has in the first run of the side that takes it.
type Match struct {
	Fragment       string `parquet:"fragment,dict"`
	CandFragment   string `parquet:"cand_fragment,optional,dict"` // of one that moved: its name in the candidate
	Level          string `parquet:"level,dict"`
	BaseTransition *int64 `parquet:"base_transition,optional"` // null where only the candidate has it
	CandTransition *int64 `parquet:"cand_transition,optional"`
	BaseSource     *int64 `parquet:"base_source,optional"`
	CandSource     *int64 `parquet:"cand_source,optional"`
	BaseTarget     *int64 `parquet:"base_target,optional"`
	CandTarget     *int64 `parquet:"cand_target,optional"`
	Function       string `parquet:"function,dict"`
	Kind           string `parquet:"kind,dict"`
	Direction      string `parquet:"direction,optional,dict"`
	Peer           string `parquet:"peer,optional,dict"`
	Status         string `parquet:"status,dict"` // InBoth, InBase or InCand
}
