package runs

import (
	"fmt"
	"strings"

	"github.com/tracelake/tracelake/pipeline/lake"
)

// Label makes a name of selectors: release=1 becomes 1, and several are joined. A hyphen replaces every letter that a
// name of the lake cannot have.
// It is a default name; a user who wants another one gives --id.
func Label(selectors []string) string {
	var parts []string
	for _, s := range strings.Split(strings.Join(selectors, ","), ",") {
		// The key of a label and the @ of a baseline say nothing that the value does not.
		value := strings.TrimPrefix(s[strings.LastIndexByte(s, '=')+1:], "@")
		parts = append(parts, strings.Map(func(r rune) rune {
			if lake.CheckName("x"+string(r)) != nil {
				return '-'
			}
			return r
		}, value))
	}
	if len(parts) > 3 { // a name should fit on a line
		parts = append(parts[:2], "and-more")
	}
	return strings.Join(parts, "+")
}

// Versus makes a name of things that are compared, by what selects each: A-vs-B, or A-to-Z-of-26 where their names would be too long for that of a folder.
func Versus[T any](all []T, selector func(T) string) string {
	var names []string
	for _, x := range all {
		names = append(names, Label([]string{selector(x)}))
	}
	if n := len(names); n > 4 {
		return fmt.Sprintf("%s-to-%s-of-%d", names[0], names[n-1], n)
	}
	return strings.Join(names, "-vs-")
}
