package schema

// Loss is a count of records that were dropped, repaired or invented, with the reason.
type Loss struct {
	Stage         string `parquet:"stage,id(2),dict" key:"yes" doc:"the stage that counted them"`
	Reason        string `parquet:"reason,id(3),dict" key:"yes" doc:"name of the reason"`
	Count         int64  `parquet:"count,id(4)" unit:"count" doc:"number of records"`
	FirstPosition string `parquet:"first_position,id(5)" doc:"where it happened first"`
	Meaning       string `parquet:"meaning,id(6)" doc:"the reason in words"`
}

var _ = declare[Loss](TableDoc{
	Name: "losses", Follows: "runs", Doc: "Records that were dropped, repaired or invented.",
	Grain: "one reason in one stage of a run", Partition: "run",
})
