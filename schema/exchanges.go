package schema

// Exchange is what the rule of a comparison claims after some runs of the baseline changed places with as many of the candidate.
// Whatever differs between the sides then stands on both, so that a claim is false: how often that happens on the very
// runs of the comparison shows whether its rates hold there.
type Exchange struct {
	Exchange  int64   `parquet:"exchange,id(2)" key:"yes" unit:"-" doc:"number of the exchange, from 1"`
	Runs      string  `parquet:"runs,id(3)" doc:"the runs that stand on the side of the baseline, separated by blanks"`
	Functions int64   `parquet:"functions,id(4)" unit:"count" doc:"functions that the rule says to have changed"`
	Roots     int64   `parquet:"roots,id(5)" unit:"count" doc:"initial fragments whose run time the rule says to have changed"`
	LeastQ    float64 `parquet:"least_q,id(6)" unit:"1" doc:"least q of the functions"`
}

var _ = declare[Exchange](TableDoc{
	Name: "exchanges", Follows: "run_factors", Doc: "What the rule of a comparison claims with runs exchanged between the sides.",
	Grain: "one exchange of a comparison", Partition: "comparison",
})
