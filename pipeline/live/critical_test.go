package live

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/ingest"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/plan"
	"github.com/tracelake/tracelake/schema"
	tmsctrace "github.com/tracelake/tracelake/stages/ingest/text"
	"github.com/tracelake/tracelake/stages/timing/constraints"
	"github.com/tracelake/tracelake/testdata/expect"
)

// TestCriticalPathsRoom reads the paths of a run of two calls with room for fewer changes than it has, and for just as many: the path of main is in a, in b
// and in a again, that of work is in b.
func TestCriticalPathsRoom(t *testing.T) {
	l := newLake(t)
	path := filepath.Join(t.TempDir(), "x.tmsctrace")
	expect.OK(t, os.WriteFile(path, []byte(`0.000000000 e a > main
0.000000100 e a > ask !q1
0.000000200 f b > work ?q1
0.000000900 f b < work !r1
0.000001000 e a < ask ?r1
0.000002000 e a < main
`), 0o600))
	detect := func(string, []byte) (schema.Format, error) { return tmsctrace.Tmsctrace(), nil }
	_, _, err := ingest.Run(t.Context(), ingest.Job{Lake: l, Run: "x", Paths: []string{path}, Detect: detect, Incomplete: "complete", Untraced: "ignore", Jobs: 1})
	expect.OK(t, err)
	_, err = ReadCriticalPaths(t.Context(), l, "x")
	expect.Equal(t, err.Error(), "run x has no table critical_steps: make it with analyze run x --stage critical_steps", "before it is analyzed")
	stages := expect.Value(pipeline.Order(plan.Stages(plan.Options{Constraints: constraints.Defaults(), Steps: true}), plan.Given...))(t)
	expect.Value((&pipeline.Engine{Lake: l, Stages: stages, Jobs: 1}).Run(t.Context(), []lake.Partition{lake.Run("x")}))(t)

	p := expect.Value(ReadCriticalPaths(t.Context(), l, "x"))(t)
	ns, all := p.paths.Within(0, 2000)
	expect.Equal(t, ns[p.components["a"]], int64(1200), "a: until it asks, the way of the reply to it, and after that")
	expect.Equal(t, ns[p.components["b"]], int64(1500), "b: the way of the question to it, and its work, which is on both paths")
	expect.Equal(t, all, int64(2700), "both paths")
	// a leaves at 100 and comes back at 900; b has one path from 100, two from 200 and none from 900.
	expect.Value(readCriticalPaths(t.Context(), l, "x", 7))(t)
	p, err = readCriticalPaths(t.Context(), l, "x", 6)
	expect.Equal(t, p, nil, "paths that are not whole")
	expect.Equal(t, err.Error(), "the critical paths of run x enter and leave components more than 6 times, which is too often to be shown here", "without room")
}
