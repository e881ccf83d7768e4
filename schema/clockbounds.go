package schema

// ClockBound says how the clock of a unit relates to another as far as what happened between the units tells: the
// other one shows t + offset + drift (t - origin) when the unit's clock shows t. Bounds that nothing sets are null.
type ClockBound struct {
	Unit      string `parquet:"unit,dict"`
	Reference string `parquet:"reference,dict"` // the unit with the other clock
	Forth     int64  `parquet:"forth"`          // relations from an occurrence of the unit to one of the reference
	Back      int64  `parquet:"back"`           // and from the reference to the unit
	Possible  bool   `parquet:"possible"`       // an even clock respects all of them
	Used      bool   `parquet:"used"`           // the unit's times were set by this relation

	OriginNs      int64    `parquet:"origin_ns"` // of the unit's clock
	OffsetNs      int64    `parquet:"offset_ns"` // the estimate
	OffsetLeastNs *int64   `parquet:"offset_least_ns,optional"`
	OffsetMostNs  *int64   `parquet:"offset_most_ns,optional"`
	DriftPpm      float64  `parquet:"drift_ppm"` // the estimate
	DriftLeastPpm *float64 `parquet:"drift_least_ppm,optional"`
	DriftMostPpm  *float64 `parquet:"drift_most_ppm,optional"`
	GapNs         *int64   `parquet:"gap_ns,optional"` // between the bounds at the estimate; negative: what they contradict each other by

	Moved      int64 `parquet:"moved"`       // events of the unit whose time was corrected beyond offset and drift
	FarthestNs int64 `parquet:"farthest_ns"` // the largest of these corrections
}
