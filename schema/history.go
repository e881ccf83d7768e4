package schema

// ReleaseValue is what one subject costs in one release of a series: the median over the runs of the release of the cost
// per root execution, taken on a logarithmic scale. The first columns say which subject; steps of a
// fragment may have the same words, so subjects are told apart by their number.
type ReleaseValue struct {
	Series    int64  `parquet:"series"` // number of the subject, from 1
	Level     string `parquet:"level,dict"`
	Component string `parquet:"component,dict"`
	Fragment  string `parquet:"fragment,optional,dict"`
	Subject   string `parquet:"subject,dict"`
	Metric    string `parquet:"metric,optional,dict"`
	Function  string `parquet:"function,optional,dict"` // that runs in the step, or of the fragment or message

	Release  string `parquet:"release,dict"`
	Position int64  `parquet:"position"` // of the release in the series, from 1
	Runs     int64  `parquet:"runs"`     // of the release
	ValueNs  int64  `parquet:"value_ns"`
	Segment  int64  `parquet:"segment"` // number of the segment between change points, from 1
}

// ChangePoint is where the level of a subject changes in a series of releases. P and Q ask whether it changes at all,
// the verdict and the interval how much; what does not apply is null.
type ChangePoint struct {
	Rank      int64  `parquet:"rank"`   // 1 is where to look first
	Series    int64  `parquet:"series"` // as in ReleaseValue
	Level     string `parquet:"level,dict"`
	Component string `parquet:"component,dict"`
	Fragment  string `parquet:"fragment,optional,dict"`
	Subject   string `parquet:"subject,dict"`
	Metric    string `parquet:"metric,optional,dict"`
	Function  string `parquet:"function,optional,dict"`
	WaitsFor  string `parquet:"waits_for,optional,dict"` // of a transition: whom the component waits for in it

	Release    string   `parquet:"release,dict"` // first seen in
	Position   int64    `parquet:"position"`
	Verdict    string   `parquet:"verdict,dict"`
	BeforeNs   int64    `parquet:"before_ns"` // cost per root execution of the typical run of the segment before
	AfterNs    int64    `parquet:"after_ns"`
	EffectNs   *int64   `parquet:"effect_ns,optional"`
	EffectLoNs *int64   `parquet:"effect_lo_ns,optional"` // 95 % interval
	EffectHiNs *int64   `parquet:"effect_hi_ns,optional"` //
	Ratio      *float64 `parquet:"ratio,optional"`
	RatioLo    *float64 `parquet:"ratio_lo,optional"` // 95 % interval
	RatioHi    *float64 `parquet:"ratio_hi,optional"` //
	P          *float64 `parquet:"p,optional"`
	Q          *float64 `parquet:"q,optional"`
	RankP      *float64 `parquet:"rank_p,optional"` // of the rank scan of both segments, by permutation of the releases
	Confirmed  bool     `parquet:"confirmed"`       // a later release has it too
}

// BaselineRun is a run of a stored baseline.
type BaselineRun struct {
	Run      string `parquet:"run,dict"`
	Position int64  `parquet:"position"` // from 1
}
