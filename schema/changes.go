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
	LevelFunction     = "function" // its own time, over all fragments
	LevelFragment     = "fragment"
	LevelTransition   = "transition"
	LevelMetric       = "metric"
	LevelCriticalPath = "critical_path"
	LevelDefined      = "defined"    // a metric that users define
	LevelRunFactor    = "run_factor" // of histories: what all functions of a run have in common
)

// The verdicts on a subject that follow from comparing runs with runs.
const (
	Regressed    = "regressed"     // it takes longer by more than the margin, or it costs more because it happens more often
	Improved     = "improved"      // the opposite
	Longer       = "longer"        // of a metric of time in which a component does not work, and of lifetimes: there is more of it, which is neither good nor bad by itself
	Shorter      = "shorter"       // the opposite
	ShapeChanged = "shape_changed" // neither, but some quantile changed by more than the margin
	CountChanged = "count_changed" // neither, but it happens more or less often
	Later        = "later"         // its own time is not shown to change, but it is reached later, by an earlier step's doing
	Sooner       = "sooner"        // the opposite
	Unchanged    = "unchanged"     // whatever changed is shown to be within the margin; of a test on samples: nothing was found
	Undetermined = "undetermined"  // too few runs to show a change or its absence
	NotAsked     = "not_asked"     // what contains it is not shown to have changed, so that it is no question of its own
	Candidate    = "candidate"     // too few runs for a verdict: it stands out from the noise, which proves nothing yet
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

// The ways in which a cost changes, as Change.Statement and Finding.Statement name them.
const (
	EachCall  = "each_call"  // each call takes longer, or less long
	SomeCalls = "some_calls" // a share of the calls does, the others take what they took
	Called    = "called"     // there are more calls, or fewer
	Mix       = "mix"        // the same, and those that only one side has are the short ones: the others take what they took
	InTotal   = "in_total"   // all calls together; there are too few to say more
)

// Change is the result of a comparison of baseline runs with candidate runs for one subject: a service fragment that
// appeared, vanished or moved, a transition of its automaton, a timing metric (Hilbig 2023, section 3.5), or a part of the
// critical paths of an initial fragment. The samples of such a part are its totals, one for every run.
//
// Two kinds of comparison fill the table. Runs compared with runs fill Quantity to Finding; a test on pooled samples fills KsD
// to FiredDyn. What does not apply is null: optional numbers are pointers because 0 is a value, and an empty optional text is
// null. Times of the sides are sums over all runs of a side where nothing else is said.
type Change struct {
	// LevelFunction, LevelFragment, LevelTransition, LevelMetric, LevelCriticalPath, LevelLifetime or LevelDefined
	Level          string `parquet:"level,id(2),dict" key:"yes" doc:"function: the own time of its calls in all fragments; fragment, transition, metric, or critical_path: a part of the critical paths of an initial fragment, whose samples are its totals, one a run; lifetime: how long asynchronous operations of that name take, each; defined: a metric of --definitions"`
	Component      string `parquet:"component,id(3),dict" key:"yes" doc:"the component; of a critical path: the one that executed, was idle or received"`
	Fragment       string `parquet:"fragment,id(4),optional,dict" key:"yes" doc:"the fragment; null for a metric of a component; of a critical path: the one at whose finish the paths end"`
	CandFragment   string `parquet:"cand_fragment,id(5),optional,dict" doc:"of a fragment that moved, and all that belongs to it: its name in the candidate"`
	MovedFrom      string `parquet:"moved_from,id(6),optional,dict" doc:"of a function that lies in another component in the candidate, or has another name there: component.function in the baseline, several with and between where they became one; of one that only one side has: what lay beside it on the other side, where calls within a component may not be traced; of a step, a message or a part of critical paths that moved with a function: what it is in the baseline"`
	Subject        string `parquet:"subject,id(7),dict" key:"yes" doc:"readable name of the subject; parts below 0.01 % of the time of a fragment's critical paths on both sides are summed up as 'category ... (n smaller parts)', under the component of the fragment"`
	Metric         string `parquet:"metric,id(8),optional,dict" doc:"name of the metric; of a critical path: the category, as in compositions"`
	Transition     *int64 `parquet:"transition,id(9),optional" key:"yes" unit:"-" doc:"transition in the baseline"`
	CandTransition *int64 `parquet:"cand_transition,id(10),optional" key:"yes" unit:"-" doc:"transition in the candidate"`
	Function       string `parquet:"function,id(11),optional,dict" doc:"function of the event; of a critical path: that executed or received"`
	Kind           string `parquet:"kind,id(12),optional,dict" doc:"kind of the event"`
	Direction      string `parquet:"direction,id(13),optional,dict" doc:"send or receive"`
	Peer           string `parquet:"peer,id(14),optional,dict" doc:"component at the other end of the message; of contention: the one for which a message waited"`
	Normalisation  string `parquet:"normalisation,id(15),optional,dict" key:"yes" doc:"which times were compared: absolute, relative, stack_based or fragment_absolute"`
	PositionNs     *int64 `parquet:"position_ns,id(16),optional" doc:"of a transition: its median time since the start of the fragment"`

	NBase       int64 `parquet:"n_base,id(17)" unit:"count" doc:"samples of the baseline; of a critical path: occurrences, the paths that have the part"`
	NCand       int64 `parquet:"n_cand,id(18)" unit:"count" doc:"the same of the candidate"`
	RunsBase    int64 `parquet:"runs_base,id(19)" unit:"count" doc:"runs of the baseline"`
	RunsCand    int64 `parquet:"runs_cand,id(20)" unit:"count" doc:"runs of the candidate"`
	TotalBaseNs int64 `parquet:"total_base_ns,id(21)" doc:"sum of the baseline's samples"`
	TotalCandNs int64 `parquet:"total_cand_ns,id(22)" doc:"sum of the candidate's samples"`

	MinBaseNs    *int64 `parquet:"min_base_ns,id(23),optional" doc:"minimum of the baseline; null without samples"`
	Q25BaseNs    *int64 `parquet:"q25_base_ns,id(24),optional" doc:"lower quartile of the baseline"`
	MedianBaseNs *int64 `parquet:"median_base_ns,id(25),optional" doc:"median of the baseline"`
	Q75BaseNs    *int64 `parquet:"q75_base_ns,id(26),optional" doc:"upper quartile of the baseline"`
	MaxBaseNs    *int64 `parquet:"max_base_ns,id(27),optional" doc:"maximum of the baseline"`
	MeanBaseNs   *int64 `parquet:"mean_base_ns,id(28),optional" doc:"mean of the baseline"`
	MinCandNs    *int64 `parquet:"min_cand_ns,id(29),optional" doc:"minimum of the candidate; null without samples"`
	Q25CandNs    *int64 `parquet:"q25_cand_ns,id(30),optional" doc:"lower quartile of the candidate"`
	MedianCandNs *int64 `parquet:"median_cand_ns,id(31),optional" doc:"median of the candidate"`
	Q75CandNs    *int64 `parquet:"q75_cand_ns,id(32),optional" doc:"upper quartile of the candidate"`
	MaxCandNs    *int64 `parquet:"max_cand_ns,id(33),optional" doc:"maximum of the candidate"`
	MeanCandNs   *int64 `parquet:"mean_cand_ns,id(34),optional" doc:"mean of the candidate"`

	AbsNs       int64    `parquet:"abs_ns,id(35)" doc:"total_cand_ns - total_base_ns"`
	Ratio       *float64 `parquet:"ratio,id(36),optional" unit:"1" doc:"total_cand_ns / total_base_ns"`
	KsD         *float64 `parquet:"ks_d,id(37),optional" unit:"1" doc:"Kolmogorov-Smirnov statistic"`
	KsP         *float64 `parquet:"ks_p,id(38),optional" unit:"1" doc:"its p-value"`
	MwuU        *float64 `parquet:"mwu_u,id(39),optional" unit:"count" doc:"Mann-Whitney statistic"`
	MwuP        *float64 `parquet:"mwu_p,id(40),optional" unit:"1" doc:"its p-value"`
	Shift       string   `parquet:"shift,id(41),optional,dict" doc:"up or down"`
	HlShiftNs   *int64   `parquet:"hl_shift_ns,id(42),optional" doc:"Hodges-Lehmann estimate of the shift"`
	CliffsDelta *float64 `parquet:"cliffs_delta,id(43),optional" unit:"1" doc:"Cliff's delta, from -1 to 1"`

	FiredAbs   bool `parquet:"fired_abs,id(44)" doc:"the absolute difference says changed"`
	FiredRel   bool `parquet:"fired_rel,id(45)" doc:"the relative difference says changed"`
	FiredKs    bool `parquet:"fired_ks,id(46)" doc:"the Kolmogorov-Smirnov test says changed"`
	FiredMwu   bool `parquet:"fired_mwu,id(47)" doc:"the Mann-Whitney test says changed"`
	FiredShift bool `parquet:"fired_shift,id(48)" doc:"the shift of the deciles says changed"`
	FiredDyn   bool `parquet:"fired_dyn,id(49)" doc:"the method dyn says changed: shift, ks or mwu, and a difference of the sums above the guard"`

	Method   string `parquet:"method,id(50),optional,dict" doc:"the method that decided"`
	Detected bool   `parquet:"detected,id(51)" doc:"a change was detected"`
	Verdict  string `parquet:"verdict,id(52),dict" doc:"of runs compared with runs: regressed, improved (of idle metrics longer, shorter), shape_changed, count_changed, later, sooner, unchanged, undetermined, not_asked (what contains it is not shown to have changed) or candidate; of a test on samples: slower, faster, changed or unchanged; always: appeared, vanished or moved"`

	Quantity     string   `parquet:"quantity,id(53),optional,dict" doc:"of runs compared with runs: what decided: cost, location, shape, count or arrival"`
	EffectNs     *int64   `parquet:"effect_ns,id(54),optional" doc:"change of the cost per root execution, as the typical run has it"`
	EffectLoNs   *int64   `parquet:"effect_lo_ns,id(55),optional" doc:"lower end of its 95 % interval; of one run a side without older runs no interval, but what the noise of all other subjects allows"`
	EffectHiNs   *int64   `parquet:"effect_hi_ns,id(56),optional" doc:"upper end of its 95 % interval"`
	CostBaseNs   *int64   `parquet:"cost_base_ns,id(57),optional" doc:"cost per root execution of the typical run of the baseline"`
	CostCandNs   *int64   `parquet:"cost_cand_ns,id(58),optional" doc:"the same of the candidate"`
	CountBase    *float64 `parquet:"count_base,id(59),optional" unit:"count" doc:"how often per root execution, mean of the baseline's runs"`
	CountCand    *float64 `parquet:"count_cand,id(60),optional" unit:"count" doc:"the same of the candidate"`
	P            *float64 `parquet:"p,id(61),optional" unit:"1" doc:"p of no change beyond the margin, in the quantity that decided"`
	Q            *float64 `parquet:"q,id(62),optional" unit:"1" doc:"p after two-level Benjamini-Hochberg; of a function: after Benjamini-Hochberg weighted by its share of the time"`
	EquivalenceP *float64 `parquet:"equivalence_p,id(63),optional" unit:"1" doc:"p of a change of the margin or more"`
	RunsNeeded   *int64   `parquet:"runs_needed,id(64),optional" unit:"count" doc:"of an undetermined one: runs per side that would decide; of functions and root executions, with which half of such cases are decided"`
	Finding      *int64   `parquet:"finding,id(65),optional" unit:"-" doc:"the finding that it belongs to"`

	Statement      string   `parquet:"statement,id(66),optional,dict" doc:"of a cost that changed: in which way. each_call: each call takes longer, or less long; some_calls: a share of the calls does; called: there are more calls, or fewer; mix: the same, and only short calls are gone or new; in_total: all calls together"`
	StatementRatio *float64 `parquet:"statement_ratio,id(67),optional" unit:"1" doc:"candidate / baseline: of each_call the cost of a typical call, of called and mix the number of calls, of in_total the cost"`
	StatementShare *float64 `parquet:"statement_share,id(68),optional" unit:"1" doc:"of some_calls: the share of the calls that changed"`
	StatementNs    *int64   `parquet:"statement_ns,id(69),optional" doc:"of some_calls: by how much each of these takes longer"`

	StepBaseNs *int64 `parquet:"step_base_ns,id(70),optional" doc:"of a transition: the time between the event before it and it, of a baseline run on average"`
	StepCandNs *int64 `parquet:"step_cand_ns,id(71),optional" doc:"the same of a candidate run"`

	CriticalBaseNs *int64 `parquet:"critical_base_ns,id(72),optional" doc:"time of a baseline run, on average, on critical paths of initial fragments in the function that runs in the step, or that starts the fragment; 0: it never lies on one; null for metrics and first events, without initial fragments, and instead of 0 where 1 % of these paths or more is waiting in blocking calls for what the trace does not show"`
	CriticalCandNs *int64 `parquet:"critical_cand_ns,id(73),optional" doc:"the same of a candidate run"`

	ImpactNs  int64  `parquet:"impact_ns,id(74)" doc:"change of the time of the step, 0 where the component waited for another in it; of a critical path: change of the total a run"`
	RootCause string `parquet:"root_cause,id(75),optional,dict" doc:"own time, waits for component.function, earlier step, or other steps: right behind a functional change; of a lifetime that takes another time: in component.function, which works otherwise long inside it, queueing for component.function, or waiting"`
	Rank      int64  `parquet:"rank,id(76)" unit:"-" doc:"1 is the greatest impact; critical paths come after all else"`
}

var _ = declare[Change](TableDoc{
	Name: "changes", Follows: "matches", Doc: "The result of a comparison of baseline runs with candidate runs for every subject.",
	Grain: "one subject in one normalisation", Partition: "comparison",
})

// NamesBefore returns the names that a function had in the baseline where it has another one in the candidate.
func (c *Change) NamesBefore() []string {
	if c.Verdict == Appeared || c.Verdict == Vanished {
		return nil
	}
	return SplitNames(c.MovedFrom)
}
