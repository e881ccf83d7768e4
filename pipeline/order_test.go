package pipeline_test

import (
	"strings"
	"testing"

	"github.com/tracelake/tracelake/pipeline"
)

func stage(name, reads, writes string) pipeline.Stage {
	return pipeline.Stage{Name: name, Reads: strings.Fields(reads), Writes: strings.Fields(writes)}
}

func names(stages []pipeline.Stage) string {
	var out []string
	for _, s := range stages {
		out = append(out, s.Name)
	}
	return strings.Join(out, " ")
}

// TestOrder sees that a stage comes after whoever writes what it reads, and that stages which are in
// order already stay as they are.
func TestOrder(t *testing.T) {
	for _, c := range []struct {
		stages []pipeline.Stage
		want   string
	}{
		{nil, ""},
		{[]pipeline.Stage{stage("one", "given", "a"), stage("two", "a", "b")}, "one two"},
		{[]pipeline.Stage{stage("two", "a", "b"), stage("one", "given", "a")}, "one two"},
		{[]pipeline.Stage{stage("last", "b c", "d"), stage("b", "a", "b"), stage("c", "a", "c"), stage("a", "given", "a")}, "a b c last"},
	} {
		got, err := pipeline.Order(c.stages, "given")
		if err != nil || names(got) != c.want {
			t.Errorf("%s: got %s, %v; want %s", names(c.stages), names(got), err, c.want)
		}
	}
}

// TestOrderRefuses sees that a plan without an order is told in a sentence.
func TestOrderRefuses(t *testing.T) {
	for _, c := range []struct {
		stages []pipeline.Stage
		want   string
	}{
		{[]pipeline.Stage{stage("a", "x", "y")}, "stage a: nobody writes table x"},
		{[]pipeline.Stage{stage("a", "", "x"), stage("b", "", "x")}, "stage b: table x has another writer, a"},
		{[]pipeline.Stage{stage("a", "", "given")}, "stage a: table given has another writer"},
		{[]pipeline.Stage{stage("a", "x", "x")}, "cycle: a -> a"},
		{[]pipeline.Stage{stage("a", "z", "x"), stage("b", "x", "y"), stage("c", "y", "z")}, "cycle: a -> c -> b -> a"},
		{[]pipeline.Stage{stage("aside", "z", "w"), stage("b", "z", "y"), stage("c", "y", "z")}, "cycle: c -> b -> c"},
	} {
		_, err := pipeline.Order(c.stages, "given")
		if err == nil || err.Error() != c.want {
			t.Errorf("%s: got %v, want %s", names(c.stages), err, c.want)
		}
	}
}
