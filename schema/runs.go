package schema

// Run describes one ingested trace.
type Run struct {
	Source     string            `parquet:"source"` // the trace files as they were named; of a reconciled run UNIT=RUN ...
	Format     string            `parquet:"format"`
	Sha256     string            `parquet:"sha256"` // of the bytes as they were given, several files chained
	Labels     map[string]string `parquet:"labels"`
	Lines      int64             `parquet:"lines"` // or events that a Reader read
	Events     int64             `parquet:"events"`
	Executions int64             `parquet:"executions"`
	Messages   int64             `parquet:"messages"`
	Components int64             `parquet:"components"`
	StartNs    int64             `parquet:"start_ns"`
	DurationNs int64             `parquet:"duration_ns"`
}

// Loss is a count of records that were dropped, repaired or invented, with the reason.
type Loss struct {
	Stage         string `parquet:"stage,dict"`
	Reason        string `parquet:"reason,dict"`
	Count         int64  `parquet:"count"`
	FirstPosition string `parquet:"first_position"`
	Meaning       string `parquet:"meaning"`
}
