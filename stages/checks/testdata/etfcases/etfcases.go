// Package etfcases reads small traces in the Execution Trace Format for tests of checks: states with their attributes, claims
// and resources, and signals as pieces. It is no reader of the format, which stages/ingest/etf is: it expects what is right.
package etfcases

import (
	"cmp"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Case is a trace.
type Case struct {
	States    []State // in the order of checks: at one time ends, events, starts; then that of the file
	Claims    []Claim
	Resources map[string]map[string]string // attributes by identifier
	Signals   []Signal
}

// State is a start or an end of a claim, or an event.
type State struct {
	TimeNs     int64
	Kind       Kind
	Attributes map[string]string

	turn Kind // among those of its time: that of its kind, but a claim of no length ends behind its start
}

// Kind is what a state is, in the order of states of one time.
type Kind int

const (
	End Kind = iota
	Event
	Start
)

// Claim is a claim of a resource.
type Claim struct {
	FromNs, ToNs int64
	Resource     string // identifier
	Amount       float64
	Attributes   map[string]string
}

// Signal is a sum of pieces.
type Signal struct {
	Attributes map[string]string
	Pieces     []Piece
}

// Piece is C + B x + A x^2 on [FromNs, ToNs), where x is the time since FromNs in units of the trace of UnitNs.
type Piece struct {
	FromNs, ToNs int64
	C, B, A      float64
	UnitNs       float64
}

// Read reads a trace.
func Read(t testing.TB, text string) *Case {
	t.Helper()
	c := &Case{Resources: make(map[string]map[string]string)}
	unit := int64(1e9)
	ns := func(s string) int64 {
		r, ok := new(big.Rat).SetString(s)
		if r = r.Mul(r, new(big.Rat).SetInt64(unit)); !ok || !r.IsInt() {
			t.Fatalf("%s is no whole number of ns", s)
		}
		return r.Num().Int64()
	}
	number := func(s string) float64 {
		v, err := strconv.ParseFloat(s, 64)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	for _, line := range strings.Split(text, "\n") {
		head, tail, _ := strings.Cut(line, ";")
		field := strings.Fields(head)
		if len(field) == 0 || field[0] == "T" {
			continue
		}
		attributes := make(map[string]string)
		for _, pair := range strings.Split(tail, ",") {
			if name, value, is := strings.Cut(pair, "="); is {
				attributes[strings.TrimSpace(name)] = strings.TrimSpace(value)
			}
		}
		switch field[0] {
		case "TU":
			unit = map[string]int64{"SECONDS": 1e9, "MILLISECONDS": 1e6, "MICROSECONDS": 1e3, "NANOSECONDS": 1}[field[1]]
		case "R":
			c.Resources[field[1]] = attributes
		case "E":
			c.States = append(c.States, State{ns(field[2]), Event, attributes, Event})
		case "C":
			claim := Claim{ns(field[2]), ns(field[3]), field[4], number(field[len(field)-1]), attributes}
			c.Claims = append(c.Claims, claim)
			turn := End
			if claim.FromNs == claim.ToNs {
				turn = Start
			}
			c.States = append(c.States, State{claim.FromNs, Start, attributes, Start}, State{claim.ToNs, End, attributes, turn})
		case "S":
			c.Signals = append(c.Signals, Signal{Attributes: attributes})
		case "F":
			s := &c.Signals[int(number(field[1]))]
			s.Pieces = append(s.Pieces, Piece{ns(field[2]), ns(field[3]), number(field[4]), number(field[5]), number(field[6]), float64(unit)})
		}
	}
	slices.SortStableFunc(c.States, func(a, b State) int { return cmp.Or(cmp.Compare(a.TimeNs, b.TimeNs), cmp.Compare(a.turn, b.turn)) })
	return c
}
