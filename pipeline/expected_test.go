package pipeline

import (
	"testing"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/testdata/expect"
)

// TestPace sees that each kind of task is expected to cost as much a row as tasks of its kind did, and one that finishes by the rows of the others.
func TestPace(t *testing.T) {
	cost := func(ns int64) *lake.Cost { return &lake.Cost{CPUNs: ns} }
	var p pace
	p.add([]PlannedTask{
		{First: true, Rows: 100, Cost: cost(50)}, {Rows: 100, Cost: cost(200)}, {Rows: 300, Cost: cost(600)}, {Rows: 500}, {Finish: true, Cost: cost(3000)},
	})
	for _, c := range []struct {
		task PlannedTask
		all  int64
		want int64
	}{
		{PlannedTask{First: true, Rows: 10}, 40, 5}, {PlannedTask{Rows: 30}, 40, 60}, {PlannedTask{Finish: true}, 40, 120},
	} {
		expect.Equal(t, p.expected(&c.task, c.all), c.want, "%+v", c.task)
	}
	expect.Equal(t, (*pace)(nil).expected(&PlannedTask{Rows: 30}, 30), int64(0), "of nothing")
}
