package mining

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// bound is a time as a specification writes it.
type bound struct {
	ns           float64
	number, unit string
}

func (b bound) String() string { return b.number + " " + b.unit }

// upwards and downwards round a time to two digits, to the one side or to the other.
func upwards(ns float64) bound   { return rounded(ns, math.Ceil) }
func downwards(ns float64) bound { return rounded(ns, math.Floor) }

func rounded(ns float64, to func(float64) float64) bound {
	if ns < 1 {
		ns = to(max(ns, 0))
	}
	if ns == 0 {
		return bound{0, "0", "ns"}
	}
	unit := math.Pow(10, max(math.Floor(math.Log10(ns))-1, 0))
	ns = roundTo(ns, unit, to)
	for _, u := range []struct {
		ns   float64
		name string
	}{{1e9, "s"}, {1e6, "ms"}, {1e3, "us"}} {
		if ns >= u.ns {
			return bound{ns, strconv.FormatFloat(ns/u.ns, 'f', -1, 64), u.name}
		}
	}
	return bound{ns, strconv.FormatFloat(ns, 'f', -1, 64), "ns"}
}

// roundTo rounds to a multiple of a unit, and takes what is one but for the error of the division as it is.
func roundTo(x, unit float64, to func(float64) float64) float64 {
	n := to(x / unit)
	if near := math.Round(x / unit); math.Abs(near-x/unit) < 1e-9*math.Abs(near) {
		n = near
	}
	if unit < 1 { // 0.29 and not 29 times 0.01
		return n / math.Round(1/unit)
	}
	return n * unit
}

// text is a time for comments.
func text(ns float64) string { return rounded(ns, math.Round).String() }

// Write writes proposals as a specification. The first lines say where they come from.
func Write(w io.Writer, about []string, all []Proposal) error {
	var b strings.Builder
	for _, line := range about {
		fmt.Fprintf(&b, "// %s\n", line)
	}
	fmt.Fprint(&b, "\ndef begins(c, f) : start {'component'=c, 'function'=f}\ndef returns(c, f) : end {'component'=c, 'function'=f}\n")
	for i, p := range all {
		fmt.Fprintf(&b, "\n// %d. It says %s: %s.\n", i+1, strconv.FormatFloat(p.Says, 'f', 3, 64), p.Support)
		for _, s := range p.Signals {
			fmt.Fprintln(&b, s)
		}
		fmt.Fprintf(&b, "check %s : %s\n", p.Name, p.Formula)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
