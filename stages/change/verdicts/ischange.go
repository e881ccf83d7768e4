package verdicts

import (
	"slices"

	"github.com/tracelake/tracelake/schema"
)

// IsChange reports whether a verdict says that a subject costs more or less than before, exists on one side only, or moved. All
// other verdicts are on changes that lie within the margin, or may lie within it.
func IsChange(verdict string) bool {
	return slices.Contains([]string{schema.Regressed, schema.Improved, schema.Longer, schema.Shorter, schema.Candidate, schema.Appeared, schema.Vanished, schema.Moved}, verdict)
}

// OfMetric returns the verdict on a metric in words that fit it: time in which a component is idle is longer or shorter, and not
// worse or better, since it is what others take, or what nobody asked for.
func OfMetric(metric, verdict string) string {
	if !schema.IsIdleMetric(metric) {
		return verdict
	}
	return OfLifetime(verdict)
}

// OfLifetime returns the verdict on lifetimes, and on idle time, in words that fit them: they are longer or shorter.
func OfLifetime(verdict string) string {
	switch {
	case verdict == schema.Regressed:
		return schema.Longer
	case verdict == schema.Improved:
		return schema.Shorter
	}
	return verdict
}
