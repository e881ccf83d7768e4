package schema

// Tiles are levels of detail of executions, so that a picture of a window costs what it shows and not what it covers. The executions
// of a lifeline at a depth stand in the order of their finish. A tile of level 1 sums up 16 neighbours of them, one of level 2
// sums up 16 neighbours of level 1, and so on, up to a level of 16 tiles at most; the last tile of a level may have fewer.
//
// Level 0 has copies of the longest executions of a lifeline at a depth: those that take at least 1/4,096 of the time from its first
// start to its last finish, and at most 2,048 of them. Every execution that takes as long as the shortest of these, or longer, is
// there. The others are in executions alone: the leaves of the tree.
type Tiles struct {
	Names *Names

	Component  []Code  `parquet:"component,id(2)" names:"Components" doc:"where the executions ran"`
	Lifeline   []Code  `parquet:"lifeline,id(3)" names:"Lifelines" key:"yes" doc:"the component, or component/thread"`
	Depth      []int64 `parquet:"depth,id(4)" key:"yes" unit:"-" doc:"depth of the executions: 0 for root executions"`
	Level      []int64 `parquet:"level,id(5)" key:"yes" unit:"-" doc:"a tile of level n sums up 16^n neighbours in the order of their finish; 0: one of the longest executions"`
	StartNs    []int64 `parquet:"start_ns,id(6)" doc:"earliest start"`
	FinishNs   []int64 `parquet:"finish_ns,id(7)" doc:"latest finish"`
	BusyNs     []int64 `parquet:"busy_ns,id(8)" doc:"sum of the durations"`
	Executions []int64 `parquet:"executions,id(9)" unit:"count" doc:"how many executions the tile sums up"`
	Longest    []int64 `parquet:"longest,id(10)" unit:"-" doc:"the longest execution, the first of several: the seq of its enter event, as in executions"`
	LongestNs  []int64 `parquet:"longest_ns,id(11)" doc:"duration of the longest execution"`
	Function   []Code  `parquet:"function,id(12)" names:"Functions" doc:"function of the longest execution"`
	LastSeq    []int64 `parquet:"last_seq,id(13)" key:"yes" unit:"-" doc:"seq of the exit event of the last execution"`
}

var tilesTable = declareColumns[Tiles, Names](TableDoc{
	Name: "tiles", Follows: "executions", Doc: "Levels of detail of executions: trees of sums over 16 neighbours, which pictures of windows are drawn from.",
	Grain: "up to 16^level executions of a lifeline at a depth, neighbours by their finish", Partition: "run, bucket",
}, nil)

// Columns binds the columns to their slices, in the order of the file.
func (t *Tiles) Columns() []Column { return tilesTable.bind(t, t.Names) }

// NewTiles returns an empty table whose codes are those of names.
func NewTiles(names *Names) *Tiles { return &Tiles{Names: names} }
