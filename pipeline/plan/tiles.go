package plan

import (
	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/timing/tiles"
)

var _ = declare(tilesStage)

// tilesStage holds the tiles of a bucket: one row of 64 bytes for 15 executions, and the copies of the longest ones.
func tilesStage(Options) pipeline.Stage {
	return pipeline.Stage{
		Name: "tiles", Version: 1, Doc: "sums executions up by neighbours: levels of detail for pictures of windows",
		Reads: []string{"executions"}, Writes: []string{"tiles"},
		ByLifeline: true, BytesPerRow: 16, Run: runTiles,
	}
}

// runTiles sums up the executions of a bucket, which come in the order of their finish. All of a lifeline lie in one bucket.
func runTiles(t *pipeline.Task) error {
	names := new(schema.Names)
	b := tiles.NewBuilder(names)
	err := pipeline.Feed(t, "executions", schema.NewExecutions(names), b.Add,
		"execution", "component", "lifeline", "function", "start_ns", "finish_ns", "depth", "finish_seq")
	if err != nil {
		return err
	}
	return t.Write("tiles", b.Tiles())
}
