package live

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	dialects "github.com/tracelake/tracelake/stages/ingest/text"
	"github.com/tracelake/tracelake/stages/timing/hotness"
	"github.com/tracelake/tracelake/testdata/expect"
)

// TestAnyMoment writes random rows of lanes that are apart, in pieces, and looks at it meanwhile: any two moments of the time so far give the
// loads that a machine gives which takes all rows one after the other. A look that is opened late knows the same.
func TestAnyMoment(t *testing.T) {
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 3))
		v := expect.Value(NewView(t.TempDir()))(t)
		dir := strings.TrimSuffix(v.calls.file.Name(), "/"+viewName+"/"+callsName)
		k := expect.Value(LookAt(dir))(t)
		a, b := k.Cursor(), k.Cursor()
		var all []hotness.Row
		step := secondNs / int64(1+rng.IntN(30))
		lag := step * rng.Int64N(20)
		at := rng.Int64N(secondNs)
		clocks := make([]int64, 4)
		for piece := range 40 {
			for range rng.IntN(30) {
				at += rng.Int64N(step)
				lane := rng.IntN(4)
				clocks[lane] = max(clocks[lane], at-rng.Int64N(lag+1))
				r := hotness.Row{TimeNs: clocks[lane], Kind: []hotness.Kind{hotness.Enter, hotness.Exit, hotness.Away}[rng.IntN(3)]}
				r.Lane, _ = v.Lane(0, fmt.Sprint("lane ", lane))
				r.Key, _ = v.Key(fmt.Sprint("component ", rng.IntN(3)), fmt.Sprint("f", rng.IntN(3)))
				v.Add(r)
				all = append(all, r)
			}
			expect.OK(t, v.Flush(time.Now()))
			expect.OK(t, k.Refresh())
			if piece == 20 {
				other := expect.Value(LookAt(dir))(t)
				defer other.Close()
				if e := other.Extent(time.Now()); !e.Alive || e.Silent > time.Minute {
					t.Fatalf("seed %d: opened late: %+v", seed, e)
				}
				a = other.Cursor()
			}
			if len(all) == 0 {
				continue
			}
			e := k.Extent(time.Now())
			expect.Equal(t, e.FirstNs, all[0].TimeNs, "seed %d: first", seed)
			from := e.FirstNs + rng.Int64N(e.LastNs-e.FirstNs+1)
			to := from + rng.Int64N(e.LastNs-from+1)
			if rng.IntN(3) == 0 {
				to = e.LastNs
			}
			got := hotness.Window(sums(t, a, from), sums(t, b, to))
			want := hotness.Window(plain(all, v.componentOf, from), plain(all, v.componentOf, to))
			expect.Slice(t, got, want, "seed %d, piece %d: from %d to %d", seed, piece, from, to)
		}
		expect.OK(t, v.Close())
		expect.OK(t, k.Close())
	}
}

func sums(t *testing.T, c *Cursor, at int64) []hotness.Sum {
	t.Helper()
	return expect.Value(c.To(at))(t).SumsAt(at)
}

// plain plays all rows up to a time.
func plain(rows []hotness.Row, keys []uint32, until int64) []hotness.Sum {
	m := new(hotness.Machine)
	for _, r := range rows {
		if r.TimeNs <= until {
			m.Apply(r, keys)
		}
	}
	return m.SumsAt(until)
}

// textReading reads the thesis dialect.
func textReading(said *[]string) Reading {
	return Reading{
		File: "x.txt", Say: func(sentence string) { *said = append(*said, sentence) },
		Detect: func(_ string, head []byte) (schema.Format, error) {
			if f, ok := dialects.Detect(head); ok {
				return f, nil
			}
			return schema.Format{}, fmt.Errorf("no known trace format")
		},
	}
}

// TestDecoder takes a trace apart at every place: the view is the same, wherever its lines are cut. A component that calls another one by a
// message waits for it, and is connected with it.
func TestDecoder(t *testing.T) {
	const trace = "0.000001000 A > f\n0.000002000 A > g !m1\n0.000003000 B > g ?m1\nno line\n0.000005000 B < g !m2\n0.000006000 A < g ?m2\n0.000009000 A < f\n0.000010000 B > h\n"
	for cut := 0; cut < len(trace); cut += 5 {
		l := expect.Value(lake.Open(t.TempDir(), true))(t)
		r := expect.Value(Open(l, "x", "x.txt"))(t)
		expect.OK(t, r.Append([]byte(trace[:cut]), time.Now()))
		var said []string
		d := expect.Value(r.Show(textReading(&said)))(t)
		expect.OK(t, d.Take([]byte(trace[cut:]), time.Now()))
		k := expect.Value(OpenLook(l, "x"))(t)
		m := expect.Value(k.Cursor().To(12_000))(t)
		expect.Slice(t, hotness.Window(nil, m.SumsAt(12_000)), []hotness.Load{{BusyNs: 8000, SelfNs: 4000, Calls: 1, P95Ns: 8191}, {BusyNs: 4000, SelfNs: 4000, Calls: 2, P95Ns: 2047}}, "cut at %d", cut)
		expect.Deep(t, m.Connections, map[[2]uint32]int64{{hotness.Nobody, 0}: 1, {hotness.Nobody, 2}: 1, {hotness.Nobody, 3}: 1, {0, 2}: 1}, "cut at %d", cut)
		expect.Equal(t, d.Bad(), int64(1), "bad lines, cut at %d", cut)
		components, lanes, _ := k.Names()
		expect.Slice(t, components, []string{"A", "B"}, "components")
		expect.Slice(t, lanes, []string{"A", "B"}, "lanes")
		expect.OK(t, d.Close())
		expect.Equal(t, k.Current(), true, "current")
		expect.OK(t, r.Remove())
		expect.Equal(t, k.Current(), false, "current when it is taken away")
		expect.OK(t, k.Close())
	}
	var said []string
	v := expect.Value(NewView(t.TempDir()))(t)
	d := NewDecoder(v, textReading(&said))
	expect.OK(t, d.Take([]byte(strings.Repeat("what is this\n", 6000)), time.Now()))
	expect.Slice(t, said, []string{"no known trace format; it is recorded, but does not show before it ends"}, "said")
}

// TestDamagedSegments flips every byte of the files of a view. A look at it ends with the name of the file, or answers as if nothing were, or, where a
// file might still be written, as if it ended in front of the damage.
func TestDamagedSegments(t *testing.T) {
	dir := t.TempDir()
	v := expect.Value(NewView(dir))(t)
	var all []hotness.Row
	var pieces []int // rows in front of each piece
	for i := range 12 {
		pieces = append(pieces, len(all))
		for k := range 3 {
			r := hotness.Row{TimeNs: int64(3*i+k) * secondNs / 5, Kind: []hotness.Kind{hotness.Enter, hotness.Exit}[(3*i+k)%2]}
			r.Lane, _ = v.Lane(0, "lane")
			r.Key, _ = v.Key(fmt.Sprint("component ", i/4), "f")
			v.Add(r)
			all = append(all, r)
		}
		expect.OK(t, v.Flush(time.Now()))
	}
	expect.OK(t, v.Close())
	keys := v.componentOf
	outcomes := make(map[string]int)
	for _, name := range []string{namesName, callsName, secondsName} {
		path := filepath.Join(dir, viewName, name)
		sound := expect.Value(os.ReadFile(path))(t)
		for at := range sound {
			damaged := slices.Clone(sound)
			damaged[at] ^= 1 << (at % 8)
			expect.OK(t, os.WriteFile(path, damaged, 0o666))
			outcomes[damagedOutcome(t, fmt.Sprintf("%s, byte %d", name, at), dir, name, func(until int64, rows int) []hotness.Sum { return plain(all[:rows], keys, until) }, append(pieces, len(all)))]++
		}
		expect.OK(t, os.WriteFile(path, sound, 0o666))
	}
	// Only what may still be written is taken for an end: the last piece, and lengths that reach beyond it.
	if outcomes["damaged"] < 10*outcomes["ended"] || outcomes["ended"] == 0 || outcomes["right"] == 0 {
		t.Errorf("outcomes: %v", outcomes)
	}
}

// damagedOutcome looks at some moments of a damaged view.
func damagedOutcome(t *testing.T, what, dir, name string, of func(until int64, rows int) []hotness.Sum, pieces []int) string {
	t.Helper()
	k, err := LookAt(dir)
	defer func() { expect.OK(t, k.Close()) }() // whatever was not opened needs no closing
	outcome := "right"
	for until := int64(0); err == nil && until < 8*secondNs; until += secondNs / 2 {
		var m *hotness.Machine
		if m, err = k.Cursor().To(until); err != nil {
			break
		}
		got := hotness.Window(nil, m.SumsAt(until))
		if slices.Equal(got, hotness.Window(nil, of(until, pieces[len(pieces)-1]))) {
			continue
		}
		outcome = "ended"
		if !slices.ContainsFunc(pieces, func(rows int) bool { return slices.Equal(got, hotness.Window(nil, of(until, rows))) }) {
			t.Errorf("%s: at %d the loads are %v", what, until, got)
		}
	}
	if err == nil {
		return outcome
	}
	if !errors.Is(err, errPiece) || !strings.Contains(err.Error(), filepath.Join(viewName, name)) {
		t.Errorf("%s: %v", what, err)
	}
	return "damaged"
}
