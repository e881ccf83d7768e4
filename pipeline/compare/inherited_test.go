package compare

import (
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/relocations"
	"github.com/tracelake/tracelake/testdata/expect"
)

// TestInheritedRows counts what follows from a finding as a reader finds it in the table: not the rows of the finding itself, nor steps that have no row, and
// what has another name in the candidate once.
func TestInheritedRows(t *testing.T) {
	first, second := int64(1), int64(2)
	of := func(c schema.Change, finding *int64, follows, within bool) Subject {
		c.Finding = finding
		return Subject{Change: c, follows: follows, within: within}
	}
	o := &Observations{Subjects: []Subject{
		of(one(schema.LevelFunction, "", "lib f -", schema.Regressed, 9), &first, false, false),
		of(one(schema.LevelMessage, "transit", "web k lib", schema.Regressed, 9), &first, true, false),
		of(one(schema.LevelTransition, "", "lib k web", schema.Appeared, 9), &first, true, true), // of a fragment of one side
		of(one(schema.LevelMessage, "transit", "old f web", schema.Vanished, 9), &first, true, false),
		of(one(schema.LevelMessage, "transit", "new g web", schema.Appeared, 9), &first, true, false),
		of(one(schema.LevelMessage, "transit", "web f old", schema.Vanished, 9), &second, false, false), // a part of the finding in one of its names
		of(one(schema.LevelMessage, "transit", "web g new", schema.Appeared, 9), &second, true, false),
		of(one(schema.LevelMessage, "transit", "web h lib", schema.Regressed, 9), nil, false, false),
	}}
	o.relocations.AddFunction(relocations.Function{Component: "old", Name: "f"}, relocations.Function{Component: "new", Name: "g"})
	expect.Equal(t, len(o.fold()), 2, "rows of two names")
	findings := []schema.Finding{{Finding: first, Inherited: 4}, {Finding: second, Inherited: 1}}
	o.countInherited(findings)
	expect.Equal(t, findings[0].Inherited, 2, "rows that follow from the first finding")
	expect.Equal(t, findings[1].Inherited, 0, "rows that follow from the second finding")
}
