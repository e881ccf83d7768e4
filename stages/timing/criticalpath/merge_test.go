package criticalpath_test

import (
	"fmt"
	"math/rand"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/timing/criticalpath"
	"github.com/tracelake/tracelake/stages/timing/window"
	"github.com/tracelake/tracelake/testdata/expect"
)

// The compositions of some paths are the same when the paths are divided and their compositions are merged, with codes and
// numbers of parts that differ from one share to the next.
func TestMerger(t *testing.T) {
	for seed := range int64(50) {
		rng := rand.New(rand.NewSource(seed))
		shares := 1 + rng.Intn(4)
		whole, names := new(summed), new(schema.Names)
		divided := make([]summed, shares)
		for range rng.Intn(200) {
			path := randomPath(rng)
			whole.add(path)
			divided[rng.Intn(shares)].add(path)
		}
		merged := criticalpath.NewMerger(names)
		for i := range divided {
			merged.Add(divided[i].rows(names))
		}
		expect.Equal(t, fmt.Sprint(inWords(merged.Rows())), fmt.Sprint(inWords(whole.rows(new(schema.Names)))), "seed %d", seed)
	}
}

// aPath is a path of a fragment: its steps by what time is spent on, in words.
type aPath struct {
	fragment string
	shares   []pathShare
}

type pathShare struct {
	component, function, sender string // sender: of messages only
	category                    schema.Category
	ns                          int64
}

func randomPath(rng *rand.Rand) (p aPath) {
	p.fragment = fmt.Sprint("f", rng.Intn(4))
	seen := make(map[string]bool)
	for range rng.Intn(6) {
		s := pathShare{fmt.Sprint("c", rng.Intn(3)), fmt.Sprint("g", rng.Intn(3)), "", schema.Executing, rng.Int63n(100)}
		if rng.Intn(2) == 0 {
			s.sender, s.category = fmt.Sprint("s", rng.Intn(2)), schema.Communicating
		}
		if key := s.component + s.function + s.sender; !seen[key] {
			seen[key] = true
			p.shares = append(p.shares, s)
		}
	}
	return p
}

// summed are paths that are summed together, with numbers of parts of their own.
type summed struct{ paths []aPath }

func (s *summed) add(p aPath) { s.paths = append(s.paths, p) }

// rows sums the paths and makes a table with the codes of names.
func (s *summed) rows(names *schema.Names) *schema.Compositions {
	var sums criticalpath.Composition
	var parts []window.Part
	numbers := make(map[window.Part]uint32)
	for _, p := range s.paths {
		var shares []criticalpath.Share
		for _, one := range p.shares {
			part := window.Part{Component: names.Components.Code(one.component), Function: names.Functions.Code(one.function), Sender: schema.NoCode, Label: schema.NoCode}
			if one.sender != "" {
				part.Sender, part.Message = names.Components.Code(one.sender), true
			}
			if _, known := numbers[part]; !known {
				numbers[part] = uint32(len(parts))
				parts = append(parts, part)
			}
			key := criticalpath.Key{Part: numbers[part], Category: one.category, Busy: schema.NoCode}
			shares = append(shares, criticalpath.Share{Key: key, Ns: one.ns, Steps: 1 + one.ns%3})
		}
		sums.Add(names.Fragments.Code(p.fragment), shares)
	}
	rows := schema.NewCompositions(names)
	for _, f := range names.Fragments.Sorted() {
		sums.AppendTo(rows, f, f, names.Fragments.Name(f) == "f1", parts)
	}
	return rows
}

// inWords is a line for every row.
func inWords(rows *schema.Compositions) (lines []string) {
	name := func(d *schema.Dictionary, c schema.Code) string {
		if c == schema.NoCode {
			return "-"
		}
		return d.Name(c)
	}
	n := rows.Names
	for i, f := range rows.Fragment[:len(rows.TotalNs)] { // a fragment for every row
		lines = append(lines, fmt.Sprintln(n.Fragments.Name(f), rows.Initial[i], rows.Category[i], name(&n.Components, rows.Component[i]),
			name(&n.Functions, rows.Function[i]), name(&n.Components, rows.Sender[i]), rows.Occurrences[i], rows.Steps[i], rows.TotalNs[i], rows.MaxNs[i]))
	}
	return lines
}
