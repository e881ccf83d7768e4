package sampletests

import (
	"fmt"
	"slices"
	"strings"
)

// Method names a way to decide whether two time samples differ.
type Method string

const (
	ABS   Method = "abs"   // the sums differ by more than Options.AbsNs
	REL   Method = "rel"   // the sums differ by more than the factor Options.Rel
	KS    Method = "ks"    // Kolmogorov-Smirnov rejects equal distributions
	MWU   Method = "mwu"   // Mann-Whitney U rejects that neither sample tends to be greater
	SHIFT Method = "shift" // all nine deciles moved in one direction
	DYN   Method = "dyn"   // the combination of section 3.5.5
)

// Methods returns all methods in the order of the paper.
func Methods() []Method { return []Method{ABS, REL, KS, MWU, SHIFT, DYN} }

// ParseMethod returns the method of a name; the error lists the names there are.
func ParseMethod(name string) (Method, error) {
	if m := Method(name); slices.Contains(Methods(), m) {
		return m, nil
	}
	names := make([]string, 0, len(Methods()))
	for _, m := range Methods() {
		names = append(names, string(m))
	}
	return "", fmt.Errorf("unknown detection method %q: use one of %s", name, strings.Join(names, ", "))
}
