package schema

// Slack holds for every event how much later it could occur without moving the end of any chain of constraints
// that starts at it, and how early the constraints allow it. Rows are in the order of the
// trace.
type Slack struct {
	Seq      []int64 `parquet:"seq,id(2)" key:"yes" unit:"-" doc:"the event"`
	SlackNs  []int64 `parquet:"slack_ns,id(3)" doc:"how much later it could occur without moving the end of any chain of constraints"`
	UrgentNs []int64 `parquet:"urgent_ns,id(4)" doc:"as soon as possible: the earliest time that the bounds allow"`
}

var slackTable = declareColumns[Slack, Names](TableDoc{
	Name: "slack", Follows: "violations", Doc: "How late every event could be, and how early.",
	Grain: "one event", Partition: "run",
}, nil)

// Columns binds the columns to their slices, in the order of the file.
func (s *Slack) Columns() []Column { return slackTable.bind(s, nil) }
