package schema

// ReleaseValue is the cost of one subject in one release of a series: the median over the runs of the release of the cost
// per root execution, taken on a logarithmic scale. The first columns say which subject; steps of a
// fragment may have the same words, so subjects are told apart by their number.
type ReleaseValue struct {
	Series    int64  `parquet:"series" key:"yes" unit:"-" doc:"number of the subject in this comparison, from 1"`
	Level     string `parquet:"level,dict" doc:"transition, fragment, metric, message or critical_path; run_factor: what all functions of a run have in common, as the cost of them all"`
	Component string `parquet:"component,dict" doc:"the component; empty of run_factor"`
	Fragment  string `parquet:"fragment,optional,dict" doc:"the fragment; null for metrics of a component"`
	Subject   string `parquet:"subject,dict" doc:"the subject in words"`
	Metric    string `parquet:"metric,optional,dict" doc:"name of the metric"`
	Function  string `parquet:"function,optional,dict" doc:"the function that runs in the step, or of the fragment or message"`

	Release  string `parquet:"release,dict" key:"yes" doc:"the release"`
	Position int64  `parquet:"position" unit:"-" doc:"of the release in the series, from 1"`
	Runs     int64  `parquet:"runs" unit:"count" doc:"runs of the release"`
	ValueNs  int64  `parquet:"value_ns" doc:"cost per root execution, median of the runs"`
	Segment  int64  `parquet:"segment" unit:"-" doc:"number of the segment between change points, from 1"`
	Follows  bool   `parquet:"follows" doc:"the subject follows the factors of the runs, which are taken out of its values"`
	Outlier  bool   `parquet:"outlier" doc:"the release stands alone, an odd night: it moves no change point"`
}

var _ = declare[ReleaseValue](TableDoc{
	Name: "history", Follows: "exchanges", Doc: "The cost of every subject in every release of a series.",
	Grain: "one subject in one release", Partition: "comparison",
})
