package schema

// Samples are the time samples T of the timed automata (Hilbig 2023, Algorithm 1), one row for each
// time that a transition was taken, in all four normalisations of section 3.2.
// Rows of a partition are sorted by fragment, transition and occurrence.
type Samples struct {
	Names *Names

	Fragment        []Code  `parquet:"fragment,id(2)" names:"Fragments" key:"yes" doc:"the fragment"`
	Transition      []int64 `parquet:"transition,id(3)" key:"yes" unit:"-" doc:"the transition within the fragment"`
	Occurrence      []int64 `parquet:"occurrence,id(4)" key:"yes" unit:"-" doc:"occurrence of the fragment, from 0"`
	TimeNs          []int64 `parquet:"time_ns,id(5)" key:"yes" doc:"absolute: when it was taken"`
	SincePreviousNs []int64 `parquet:"since_previous_ns,id(6),optional" doc:"relative: since the event before it in the occurrence; null for the first"`
	SinceCallNs     []int64 `parquet:"since_call_ns,id(7),optional" doc:"stack-based: since the enter event of the same execution; null for enter events"`
	SinceStartNs    []int64 `parquet:"since_start_ns,id(8)" doc:"service-fragment absolute: since the occurrence began"`
}

var samplesTable = declareColumns[Samples, Names](TableDoc{
	Name: "samples", Follows: "transitions", Doc: "Time samples of the transitions, in all four normalisations.",
	Grain: "one time that a transition was taken", Partition: "run, bucket",
}, nil)

// Columns binds the columns to their slices, in the order of the file.
func (s *Samples) Columns() []Column { return samplesTable.bind(s, s.Names) }

// NewSamples returns an empty table whose codes are those of names.
func NewSamples(names *Names) *Samples { return &Samples{Names: names} }
