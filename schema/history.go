package schema

// ReleaseValue is the cost of one subject in one release of a series: the median over the runs of the release of the cost
// per root execution, taken on a logarithmic scale. The first columns say which subject; steps of a
// fragment may have the same words, so subjects are told apart by their number.
type ReleaseValue struct {
	Series    int64  `parquet:"series,id(2)" key:"yes" unit:"-" doc:"number of the subject in this comparison, from 1"`
	Level     string `parquet:"level,id(3),dict" doc:"transition, fragment, metric, message or critical_path; run_factor: what all functions of a run have in common, as the cost of them all"`
	Component string `parquet:"component,id(4),dict" doc:"the component; empty of run_factor"`
	Fragment  string `parquet:"fragment,id(5),optional,dict" doc:"the fragment; null for metrics of a component"`
	Subject   string `parquet:"subject,id(6),dict" doc:"the subject in words"`
	Metric    string `parquet:"metric,id(7),optional,dict" doc:"name of the metric"`
	Function  string `parquet:"function,id(8),optional,dict" doc:"the function that runs in the step, or of the fragment or message"`

	Release  string `parquet:"release,id(9),dict" key:"yes" doc:"the release"`
	Position int64  `parquet:"position,id(10)" unit:"-" doc:"of the release in the series, from 1"`
	Runs     int64  `parquet:"runs,id(11)" unit:"count" doc:"runs of the release"`
	ValueNs  int64  `parquet:"value_ns,id(12)" doc:"cost per root execution, median of the runs"`
	Segment  int64  `parquet:"segment,id(13)" unit:"-" doc:"number of the segment between change points, from 1"`
	Follows  bool   `parquet:"follows,id(14)" doc:"the subject follows the factors of the runs, which are taken out of its values"`
	Outlier  bool   `parquet:"outlier,id(15)" doc:"the release stands alone, an odd night: it moves no change point"`
}

var _ = declare[ReleaseValue](TableDoc{
	Name: "history", Follows: "exchanges", Doc: "The cost of every subject in every release of a series.",
	Grain: "one subject in one release", Partition: "comparison",
})

// The kinds of change points.
const (
	KindStep  = "step"
	KindTrend = "trend"
)

// ChangePoint is where the level of a subject changes in a series of releases. P and Q ask whether it changes at all,
// the verdict and the interval how much; what does not apply is null.
type ChangePoint struct {
	Rank      int64  `parquet:"rank,id(2)" key:"yes" unit:"-" doc:"1 is where to look first: what stands for itself, then what follows from that; in both, steps that take time of their own by effect, then what has them in it"`
	Series    int64  `parquet:"series,id(3)" unit:"-" doc:"number of the subject, as in history"`
	Level     string `parquet:"level,id(4),dict" doc:"as in history"`
	Component string `parquet:"component,id(5),dict" doc:"the component"`
	Fragment  string `parquet:"fragment,id(6),optional,dict" doc:"the fragment; null for metrics of a component"`
	Subject   string `parquet:"subject,id(7),dict" doc:"the subject in words"`
	Metric    string `parquet:"metric,id(8),optional,dict" doc:"name of the metric"`
	Function  string `parquet:"function,id(9),optional,dict" doc:"as in history"`
	WaitsFor  string `parquet:"waits_for,id(10),optional,dict" doc:"of a transition: whom the component waits for in it, component.function"`

	Kind       string   `parquet:"kind,id(11),dict" doc:"step: the level changes in this release; trend: it rises or falls steadily from this release to the last one of its segment"`
	Release    string   `parquet:"release,id(12),dict" doc:"the release in which the change is first seen"`
	Position   int64    `parquet:"position,id(13)" unit:"-" doc:"of that release in the series, from 1"`
	Verdict    string   `parquet:"verdict,id(14),dict" doc:"of the segment from there on against the one before: regressed, improved, appeared, vanished, moved: one function vanished and another one that is paired with it appeared, unchanged: within the margin, undetermined, or candidate: too few runs for a verdict"`
	BeforeNs   int64    `parquet:"before_ns,id(15)" doc:"cost of the typical run of the segment before; of a trend, on its line in the first release"`
	AfterNs    int64    `parquet:"after_ns,id(16)" doc:"cost of the typical run of the segment from there on; of a trend, on its line in the last release"`
	EffectNs   *int64   `parquet:"effect_ns,id(17),optional" doc:"change of the cost, as the typical run has it"`
	EffectLoNs *int64   `parquet:"effect_lo_ns,id(18),optional" doc:"lower end of its 95 % interval"`
	EffectHiNs *int64   `parquet:"effect_hi_ns,id(19),optional" doc:"upper end of its 95 % interval"`
	Ratio      *float64 `parquet:"ratio,id(20),optional" unit:"1" doc:"after / before, after both are raised by the resolution"`
	RatioLo    *float64 `parquet:"ratio_lo,id(21),optional" unit:"1" doc:"lower end of its 95 % interval"`
	RatioHi    *float64 `parquet:"ratio_hi,id(22),optional" unit:"1" doc:"upper end of its 95 % interval"`
	P          *float64 `parquet:"p,id(23),optional" unit:"1" doc:"of no change at this place, given that the place was searched for"`
	Q          *float64 `parquet:"q,id(24),optional" unit:"1" doc:"p after Benjamini-Hochberg over all subjects"`
	RankP      *float64 `parquet:"rank_p,id(25),optional" unit:"1" doc:"p of the rank scan of both segments, by permutation of the releases: of this subject only; null where there was no scan"`
	Last       string   `parquet:"last,id(26),optional,dict" doc:"of a trend: its last release; null for a step"`
	Confirmed  bool     `parquet:"confirmed,id(27)" doc:"a later release has it too; false: only the newest has it"`
	Follows    *int64   `parquet:"follows,id(28),optional" unit:"-" doc:"rank of the change point of the same release that this one follows from; null where it stands for itself"`
}

var _ = declare[ChangePoint](TableDoc{
	Name: "change_points", Follows: "history", Doc: "Where the level of a subject changes in a series of releases.",
	Grain: "one subject at one release; times are per root execution", Partition: "comparison",
})
