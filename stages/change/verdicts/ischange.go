package verdicts

import (
	"slices"

	"github.com/tracelake/tracelake/schema"
)

// IsChange reports whether a verdict says that a subject costs more or less than before, or exists on one side only. All
// other verdicts are on changes that lie within the margin, or may lie within it.
func IsChange(verdict string) bool {
	return slices.Contains([]string{schema.Regressed, schema.Improved, schema.Candidate, schema.Appeared, schema.Vanished}, verdict)
}
