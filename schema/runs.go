package schema

// Run describes one ingested trace. Field ids are numbered through the keys and values of labels, which stand last: so does every catalog.
type Run struct {
	Source     string            `parquet:"source,id(2)" doc:"the trace files as they were named"`
	Format     string            `parquet:"format,id(3)" doc:"format of the trace"`
	Sha256     string            `parquet:"sha256,id(4)" doc:"SHA-256 of the bytes as they were given, several files chained; of more than 64 MiB, that of the SHA-256 of all blocks of 64 MiB"`
	Labels     map[string]string `parquet:"labels,id(12)" parquet-key:",id(13)" parquet-value:",id(14)" doc:"labels given at ingest: release, machine, ..."`
	Lines      int64             `parquet:"lines,id(5)" unit:"count" doc:"lines or records read"`
	Events     int64             `parquet:"events,id(6)" unit:"count" doc:"rows in events"`
	Executions int64             `parquet:"executions,id(7)" unit:"count" doc:"rows in executions"`
	Messages   int64             `parquet:"messages,id(8)" unit:"count" doc:"rows in messages"`
	Components int64             `parquet:"components,id(9)" unit:"count" doc:"distinct components"`
	StartNs    int64             `parquet:"start_ns,id(10)" doc:"time of the first event"`
	DurationNs int64             `parquet:"duration_ns,id(11)" doc:"from the first event to the last"`
}

var _ = declare[Run](TableDoc{
	Name: "runs", Doc: "The ingested traces.",
	Grain: "one run", Partition: "run",
})

// Labels of runs that are slices of one trace: the name of the whole, and the slice.
const (
	LabelSplit = "split"
	LabelSlice = "slice"
)

// LabelSeries is the label of runs that were recorded one after the other: the name of the series.
const LabelSeries = "series"

// BaselineRun is a run of a stored baseline.
type BaselineRun struct {
	Run      string `parquet:"run,id(2),dict" key:"yes" doc:"the run"`
	Position int64  `parquet:"position,id(3)" unit:"-" doc:"its place in the baseline, from 1"`
}

var _ = declare[BaselineRun](TableDoc{
	Name: "baselines", Follows: "change_points", Doc: "Stored baselines: runs that are selected by one name.",
	Grain: "one run of a baseline", Partition: "baseline",
})
