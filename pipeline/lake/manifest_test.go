package lake_test

import (
	"errors"
	"math"
	"testing"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/testdata/expect"
)

// TestOptionText writes options as JSON with sorted keys, and what JSON cannot write as Go does.
func TestOptionText(t *testing.T) {
	expect.Equal(t, lake.OptionText(map[string]int{"b": 1, "a": 2}), `{"a":2,"b":1}`, "options")
	expect.Equal(t, lake.OptionText(nil), "null", "no options")
	expect.Equal(t, lake.OptionText(math.Inf(1)), "+Inf", "an infinity")
}

// TestInventoryOfAnother refuses an inventory that lies under the name of another partition.
func TestInventoryOfAnother(t *testing.T) {
	l, s := inMemory(t)
	expect.OK(t, commitVersion(l, lake.Run("b"), 1, "other"))
	s.files["_manifests/run=a.json"] = s.files["_manifests/run=b.json"]
	_, err := l.Inventory(run)
	fails(t, err, "run=a.json", "it is the inventory of run=b")
}

// TestPlanOfAnotherStage passes over plans of stages whose names begin with the name of the stage, and of those that have another one.
func TestPlanOfAnotherStage(t *testing.T) {
	l, s := inMemory(t)
	for _, other := range []string{"test-more-0123456789abcdef", "0123456789abcdef", "best-0123456789abcdef"} {
		s.files["_work/run=a/"+other+"/plan.json"] = []byte(`"another"`)
	}
	var plan string
	_, err := l.Planned("test", run, &plan)
	expect.Equal(t, errors.As(err, new(*lake.NotPlannedError)), true, "a stage without a plan: %v, %q", err, plan)
}
