package checks

import (
	"slices"

	"github.com/tracelake/tracelake/schema"
)

// own names the attributes that the trace has of claims and events, in the order of the alphabet.
func own(things *schema.Things) (names []string) {
	a := things.Attributes
	seen := make(map[schema.Code]bool)
	for i, about := range a.About {
		if (about == schema.OfClaim || about == schema.OfEvent) && !seen[a.Name[i]] {
			seen[a.Name[i]] = true
			names = append(names, a.Texts.Names.Name(a.Name[i]))
		}
	}
	slices.Sort(names)
	return names
}
