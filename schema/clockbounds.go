package schema

// ClockBound says how the clock of a unit relates to another as far as what happened between the units tells: the
// other one shows t + offset + drift (t - origin) when the unit's clock shows t. Bounds that nothing sets are null.
type ClockBound struct {
	Unit      string `parquet:"unit,dict" json:"unit"`
	Reference string `parquet:"reference,dict" json:"reference"` // the unit with the other clock
	Forth     int64  `parquet:"forth" json:"forth"`              // relations from an occurrence of the unit to one of the reference
	Back      int64  `parquet:"back" json:"back"`                // and from the reference to the unit
	Possible  bool   `parquet:"possible" json:"possible"`        // an even clock respects all of them
	Used      bool   `parquet:"used" json:"used"`                // the unit's times were set by this relation

	OriginNs      int64    `parquet:"origin_ns" json:"origin_ns"` // of the unit's clock
	OffsetNs      int64    `parquet:"offset_ns" json:"offset_ns"` // the estimate
	OffsetLeastNs *int64   `parquet:"offset_least_ns,optional" json:"offset_least_ns"`
	OffsetMostNs  *int64   `parquet:"offset_most_ns,optional" json:"offset_most_ns"`
	DriftPpm      float64  `parquet:"drift_ppm" json:"drift_ppm"` // the estimate
	DriftLeastPpm *float64 `parquet:"drift_least_ppm,optional" json:"drift_least_ppm"`
	DriftMostPpm  *float64 `parquet:"drift_most_ppm,optional" json:"drift_most_ppm"`
	GapNs         *int64   `parquet:"gap_ns,optional" json:"gap_ns"` // between the bounds at the estimate; negative: what they contradict each other by

	Moved      int64 `parquet:"moved" json:"moved"`             // events of the unit whose time was corrected beyond offset and drift
	FarthestNs int64 `parquet:"farthest_ns" json:"farthest_ns"` // the largest of these corrections
}
