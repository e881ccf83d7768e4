package program

import (
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
)

// NewFlags returns the flags of a program, none yet. Usage is its command line behind the name, which is printed above the flags;
// it and what is wrong with a flag go to stderr.
func NewFlags(name, usage string, stderr io.Writer) *flag.FlagSet {
	// Errors are returned to the caller, which ends the process itself.
	f := flag.NewFlagSet(name, flag.ContinueOnError)
	f.SetOutput(stderr)
	f.Usage = func() {
		fmt.Fprintf(stderr, "usage: %s %s\n", name, usage)
		f.PrintDefaults()
	}
	return f
}

// Names lists the names of all parts of a program, for its help and its errors.
func Names[T any](all []T, name func(T) string) []string {
	var names []string
	for _, one := range all {
		names = append(names, name(one))
	}
	return names
}

// Choose finds parts of a program by their names with commas between, or by the first words of these: chrome is all of chrome. An
// empty list is all. One that is named twice in a row is chosen once.
func Choose[T any](kind, list string, all []T, name func(T) string) ([]T, error) {
	if list == "" {
		return all, nil
	}
	// Order is that of the list on the command line.
	var chosen []T
	for wanted := range strings.SplitSeq(list, ",") {
		// A name with a variant is found by its first word: the blank keeps otf1 from otf10.
		before := len(chosen)
		for _, one := range all {
			if name(one) == wanted || strings.HasPrefix(name(one), wanted+" ") {
				chosen = append(chosen, one)
			}
		}
		if len(chosen) == before {
			return nil, fmt.Errorf("no %s %q: there are %q", kind, wanted, Names(all, name))
		}
	}
	return slices.CompactFunc(chosen, func(a, b T) bool { return name(a) == name(b) }), nil
}
