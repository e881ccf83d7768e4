package schema

// ClockBound relates the clock of a unit to the clock of another, the reference, as tightly as the events of all units
// allow: the reference shows t + offset + drift (t - origin) when the unit's clock shows t. Every event of one unit
// that must precede an event of another bounds the offset from one side; a bound that nothing sets is null. A clock that does not
// run evenly has several rows, each of which holds from its origin to that of the next.
type ClockBound struct {
	Unit      string `parquet:"unit,id(2),dict" json:"unit" key:"yes" doc:"a unit"`
	Reference string `parquet:"reference,id(3),dict" json:"reference" key:"yes" doc:"another unit"`
	Forth     int64  `parquet:"forth,id(4)" json:"forth" unit:"count" doc:"relations from an occurrence of the unit to one of the reference"`
	Back      int64  `parquet:"back,id(5)" json:"back" unit:"count" doc:"relations from an occurrence of the reference to one of the unit"`
	Possible  bool   `parquet:"possible,id(6)" json:"possible" doc:"an even clock respects all that is ordered with the unit"`
	Used      bool   `parquet:"used,id(7)" json:"used" doc:"the times of the unit were set by this row; its bounds follow from all units at once, those of other rows from the pair alone"`

	OriginNs      int64    `parquet:"origin_ns,id(8)" json:"origin_ns" key:"yes" doc:"time of the unit's clock at which the offset is meant; where the unit has several rows that are used, each holds from here to the origin of the next"`
	OffsetNs      int64    `parquet:"offset_ns,id(9)" json:"offset_ns" doc:"offset, estimated: in the middle of what is possible"`
	OffsetLeastNs *int64   `parquet:"offset_least_ns,id(10),optional" json:"offset_least_ns" doc:"minimum of the possible offsets; null: no bound"`
	OffsetMostNs  *int64   `parquet:"offset_most_ns,id(11),optional" json:"offset_most_ns" doc:"maximum of the possible offsets; null: no bound"`
	DriftPpm      float64  `parquet:"drift_ppm,id(12)" json:"drift_ppm" doc:"drift, estimated, in parts per million"`
	DriftLeastPpm *float64 `parquet:"drift_least_ppm,id(13),optional" json:"drift_least_ppm" doc:"minimum of the possible drifts; null: no bound"`
	DriftMostPpm  *float64 `parquet:"drift_most_ppm,id(14),optional" json:"drift_most_ppm" doc:"maximum of the possible drifts; null: no bound"`
	GapNs         *int64   `parquet:"gap_ns,id(15),optional" json:"gap_ns" doc:"by how much the offset may move while all other clocks stand still; negative: the amount by which the bounds contradict each other; null: one bound only"`

	Moved      int64 `parquet:"moved,id(16)" json:"moved" unit:"count" doc:"events of the unit whose time was corrected beyond offset and drift"`
	FarthestNs int64 `parquet:"farthest_ns,id(17)" json:"farthest_ns" doc:"the largest of these corrections"`
}

var _ = declare[ClockBound](TableDoc{
	Name: "clock_bounds", Follows: "occurrences", Doc: "Of a reconciled run: how the clocks of its units relate; of a trace of services whose clocks were apart: how those of its hosts did. The reference shows t + offset + drift (t - origin) when the unit shows t.",
	Grain: "one line of a unit's clock; another pair of units between which something is ordered; and a unit that others are related to, with itself", Partition: "run",
})
