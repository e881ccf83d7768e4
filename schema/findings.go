package schema

// The kinds of findings.
const (
	KindSlower   = "slower"        // every call takes longer, or less long
	KindCalled   = "called"        // it is called more often, or less
	KindBoth     = "slower+called" // both, neither less than a quarter of the whole
	KindTransit  = "transit"       // the latency of messages is higher, or lower
	KindLateness = "lateness"      // the receiver itself is ready later, or earlier
	KindDiffuse  = "diffuse"       // a fragment as a whole, by many steps that are not shown to change on their own
	KindShape    = "shape"         // its distribution, but not its level
	KindDivided  = "divided"       // a function that one side shows apart from those that it was a part of, and these: the net
)

// MovedCost is the verdict on a finding whose time another one saves under the same caller: the caller is shown to be
// unchanged.
const MovedCost = "moved_cost"

// How the change of a function belongs to that of another one: Finding.HandedBy.
const (
	HandedByCalls  = "calls"
	HandedByUnseen = "unseen"
)

// Finding is one root cause of a difference between baseline and candidate runs, with all that follows from it folded
// under it. Times are per root execution.
type Finding struct {
	Finding int64 `parquet:"finding,id(2)" key:"yes" unit:"-" doc:"number; 1 is the greatest effect that is sure, and of functions not likely by chance"`
	// Regressed, Improved, ShapeChanged, Candidate, Appeared, Vanished, CountChanged or MovedCost
	Verdict   string `parquet:"verdict,id(3),dict" doc:"regressed, improved, shape_changed, candidate, appeared, vanished, count_changed: a caller calls otherwise, so that much happens more or less often; or moved_cost: another finding saves what this one takes, or the other way round, and their caller is unchanged; of divided functions: the net is not shown to differ from nothing"`
	Minor     bool   `parquet:"minor,id(4)" doc:"its effect is below 1 % of the greatest one whose interval excludes 0 and that is not likely by chance: what waits longer finds caches cold, for instance"`
	Kind      string `parquet:"kind,id(5),dict" doc:"slower: every call takes longer, or less long; called: more or fewer calls; slower+called; transit: of messages; lateness: the receiver itself is ready for its messages later; diffuse: a whole fragment by many steps; shape: its distribution and not its level; divided: the net of a function that one side shows apart, and of those that it is a part of on the other"`
	Level     string `parquet:"level,id(6),dict" doc:"level of the change that is its root"`
	Rank      int64  `parquet:"rank,id(7)" unit:"-" doc:"rank of that change in changes"`
	Component string `parquet:"component,id(8),dict" doc:"the component"`
	Fragment  string `parquet:"fragment,id(9),optional,dict" doc:"the fragment"`
	Subject   string `parquet:"subject,id(10),dict" doc:"the step, as in changes; of count_changed: what is called otherwise"`
	Function  string `parquet:"function,id(11),optional,dict" doc:"the function that runs in it: where to look"`

	Caller string `parquet:"caller,id(12),optional,dict" doc:"of messages: the component that calls, or sends where nobody replies"`
	Callee string `parquet:"callee,id(13),optional,dict" doc:"of messages: the component that is called"`

	EffectNs         int64    `parquet:"effect_ns,id(14)" doc:"change of the cost, as the typical run has it"`
	EffectLoNs       int64    `parquet:"effect_lo_ns,id(15)" doc:"lower end of its 95 % interval; of one run a side without older runs no interval, but what the noise of all other subjects allows"`
	EffectHiNs       int64    `parquet:"effect_hi_ns,id(16)" doc:"upper end of its 95 % interval"`
	BaseNs           int64    `parquet:"base_ns,id(17)" doc:"cost of the typical run of the baseline"`
	CandNs           int64    `parquet:"cand_ns,id(18)" doc:"the same of the candidate"`
	SlowerNs         int64    `parquet:"slower_ns,id(19)" doc:"of the difference of the means: by the time of a call, caller by caller where these are known"`
	CalledNs         int64    `parquet:"called_ns,id(20)" doc:"of the difference of the means: by the number of calls, caller by caller where these are known"`
	CountBase        float64  `parquet:"count_base,id(21)" unit:"count" doc:"calls, mean of the baseline's runs"`
	CountCand        float64  `parquet:"count_cand,id(22)" unit:"count" doc:"calls, mean of the candidate's runs"`
	CallsFrom        string   `parquet:"calls_from,id(23),optional,dict" doc:"the component whose number of calls makes most of called_ns, where several call the function"`
	CallsFromBase    *float64 `parquet:"calls_from_base,id(24),optional" unit:"count" doc:"calls from there, mean of the baseline's runs"`
	CallsFromCand    *float64 `parquet:"calls_from_cand,id(25),optional" unit:"count" doc:"calls from there, mean of the candidate's runs"`
	CallsWithin      string   `parquet:"calls_within,id(26),optional,dict" doc:"of a function that is called less: functions of its component that only the side with fewer calls has, which may call it there; such calls may not be traced"`
	Counterpart      string   `parquet:"counterpart,id(27),optional,dict" doc:"of a function that only one side has: the only one of the same component that only the other side has and that is called about as often for about as long, so that it may do the same"`
	CounterpartNetNs *int64   `parquet:"counterpart_net_ns,id(28),optional" doc:"the sum of both effects"`
	Handed           string   `parquet:"handed,id(29),optional,dict" doc:"a function whose change belongs to this one, of which one is new or gone and the other one is on both sides"`
	HandedBy         string   `parquet:"handed_by,id(30),optional,dict" doc:"calls: of two components, the one makes calls that the other one makes on the other side; unseen: of one component, the one that is on both sides is called less often where the other one is, which may call it; calls within a component may not be traced"`
	HandedNetNs      *int64   `parquet:"handed_net_ns,id(31),optional" doc:"the sum of both effects"`
	Share            *float64 `parquet:"share,id(32),optional" unit:"1" doc:"share of the difference of all initial fragments that it explains; null where that difference is not shown"`
	Q                *float64 `parquet:"q,id(33),optional" unit:"1" doc:"adjusted p of the change that is its root, where it was asked"`

	Statement      string   `parquet:"statement,id(34),optional,dict" doc:"in which way the change that is its root changed, as in changes: each_call, some_calls, called, mix or in_total"`
	StatementRatio *float64 `parquet:"statement_ratio,id(35),optional" unit:"1" doc:"as in changes"`
	StatementShare *float64 `parquet:"statement_share,id(36),optional" unit:"1" doc:"as in changes"`
	StatementNs    *int64   `parquet:"statement_ns,id(37),optional" doc:"as in changes"`

	CriticalBaseNs *int64 `parquet:"critical_base_ns,id(38),optional" doc:"time of the function on critical paths of initial fragments, baseline"`
	CriticalCandNs *int64 `parquet:"critical_cand_ns,id(39),optional" doc:"the same of the candidate"`

	Inherited   int64  `parquet:"inherited,id(40)" unit:"count" doc:"rows of the table changes that follow from it, beside its own"`
	InheritedAt string `parquet:"inherited_at,id(41),optional" doc:"fragments that carry it on, the nearest first, separated by ' < '"`
	MovedFrom   string `parquet:"moved_from,id(42),optional,dict" doc:"of moved_cost: the step at the other end; of a function that succeeds one of its name: where that was, or that it did otherwise; of divided functions: those that it was a part of, or became a part of"`
}

var _ = declare[Finding](TableDoc{
	Name: "findings", Follows: "changes", Doc: "The root causes of what differs between baseline and candidate runs, the greatest sure effect first.",
	Grain: "one root cause of a comparison; times are per root execution", Partition: "comparison",
})
