package schema

// ClockBound relates the clock of a unit to the clock of another, the reference, as tightly as the events between both
// units allow: the reference shows t + offset + drift (t - origin) when the unit's clock shows t. Every event of one unit
// that must precede an event of the other bounds the offset from one side; a bound that nothing sets is null.
type ClockBound struct {
	Unit      string `parquet:"unit,dict" json:"unit" key:"yes" doc:"a unit"`
	Reference string `parquet:"reference,dict" json:"reference" key:"yes" doc:"another unit"`
	Forth     int64  `parquet:"forth" json:"forth" unit:"count" doc:"relations from an occurrence of the unit to one of the reference"`
	Back      int64  `parquet:"back" json:"back" unit:"count" doc:"relations from an occurrence of the reference to one of the unit"`
	Possible  bool   `parquet:"possible" json:"possible" doc:"an even clock respects all of them"`
	Used      bool   `parquet:"used" json:"used" doc:"the times of the unit were set by this row"`

	OriginNs      int64    `parquet:"origin_ns" json:"origin_ns" doc:"time of the unit's clock at which the offset is meant"`
	OffsetNs      int64    `parquet:"offset_ns" json:"offset_ns" doc:"offset, estimated: in the middle of what is possible"`
	OffsetLeastNs *int64   `parquet:"offset_least_ns,optional" json:"offset_least_ns" doc:"minimum of the possible offsets; null: no bound"`
	OffsetMostNs  *int64   `parquet:"offset_most_ns,optional" json:"offset_most_ns" doc:"maximum of the possible offsets; null: no bound"`
	DriftPpm      float64  `parquet:"drift_ppm" json:"drift_ppm" doc:"drift, estimated, in parts per million"`
	DriftLeastPpm *float64 `parquet:"drift_least_ppm,optional" json:"drift_least_ppm" doc:"minimum of the possible drifts; null: no bound"`
	DriftMostPpm  *float64 `parquet:"drift_most_ppm,optional" json:"drift_most_ppm" doc:"maximum of the possible drifts; null: no bound"`
	GapNs         *int64   `parquet:"gap_ns,optional" json:"gap_ns" doc:"distance of the bounds at the estimate; negative: the amount by which they contradict each other; null: one bound only"`

	Moved      int64 `parquet:"moved" json:"moved" unit:"count" doc:"events of the unit whose time was corrected beyond offset and drift"`
	FarthestNs int64 `parquet:"farthest_ns" json:"farthest_ns" doc:"the largest of these corrections"`
}

var _ = declare[ClockBound](TableDoc{
	Name: "clock_bounds", Follows: "occurrences", Doc: "Of a reconciled run: how the clocks of its units relate; of a trace of services whose clocks were apart: how those of its hosts did. The reference shows t + offset + drift (t - origin) when the unit shows t.",
	Grain: "one pair of units between which something is ordered; and a unit that others are related to, with itself", Partition: "run",
})
