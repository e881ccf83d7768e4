package schema

// BaselineRun is a run of a stored baseline.
type BaselineRun struct {
	Run      string `parquet:"run,dict" key:"yes" doc:"the run"`
	Position int64  `parquet:"position" unit:"-" doc:"its place in the baseline, from 1"`
}

var _ = declare[BaselineRun](TableDoc{
	Name: "baselines", Follows: "change_points", Doc: "Stored baselines: runs that are selected by one name.",
	Grain: "one run of a baseline", Partition: "baseline",
})
