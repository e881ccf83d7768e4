package live

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/tracelake/tracelake/stages/timing/hotness"
	"github.com/tracelake/tracelake/testdata/expect"
)

// TestLatest has two pages look at the end of a view that grows, which share its machine, and one that stays behind: frames have the numbers of a machine
// that takes all rows one after the other, whoever looked before.
func TestLatest(t *testing.T) {
	metric, _ := hotness.MetricOf("overall")
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 6))
		v := expect.Value(NewView(t.TempDir()))(t)
		k := expect.Value(LookAt(strings.TrimSuffix(v.calls.file.Name(), "/"+viewName+"/"+callsName)))(t)
		pages, behind := []*Watcher{k.Watch(), k.Watch()}, k.Watch()
		var all []hotness.Row
		at := rng.Int64N(secondNs)
		for piece := range 30 {
			for range rng.IntN(20) {
				if piece > 5 || seed%3 > 0 { // else more comes of the moment at which a window of the whole time begins
					at += rng.Int64N(secondNs / 10)
				}
				r := hotness.Row{TimeNs: at, Kind: []hotness.Kind{hotness.Enter, hotness.Exit, hotness.Away}[rng.IntN(3)]}
				r.Lane, _ = v.Lane(0, fmt.Sprint("lane ", rng.IntN(3)))
				r.Key, _ = v.Key(fmt.Sprint("component ", rng.IntN(3)), fmt.Sprint("f", rng.IntN(2)))
				v.Add(r)
				all = append(all, r)
			}
			expect.OK(t, v.Flush(time.Now()))
			expect.OK(t, k.Refresh())
			if len(all) == 0 {
				continue
			}
			interval := 1 + rng.Int64N(at-all[0].TimeNs+1)
			if seed%2 == 0 {
				interval = at + secondNs // the whole time
			}
			check := func(f *Frame) {
				t.Helper()
				from, to := all[0].TimeNs+f.FromNs, all[0].TimeNs+f.ToNs
				m := new(hotness.Machine)
				for _, r := range all {
					if r.TimeNs <= to {
						m.Apply(r, v.componentOf)
					}
				}
				want := hotness.Window(plain(all, v.componentOf, from), m.SumsAt(to))
				for i, l := range want {
					got := hotness.Load{BusyNs: f.BusyNs[i], SelfNs: f.SelfNs[i], Calls: f.Calls[i], P95Ns: f.P95Ns[i]}
					expect.Equal(t, got, l, "seed %d, piece %d, component %d", seed, piece, i)
					expect.Equal(t, f.Running[i], m.Components[i].Starts-m.Components[i].Ends, "seed %d, piece %d: running", seed, piece)
				}
				calls, known := int64(0), int64(0)
				for _, l := range f.Links {
					calls += l.Calls
				}
				for pair, n := range m.Connections {
					if pair[0] != hotness.Nobody {
						known += n
					}
				}
				if len(f.Links) > 0 && calls < known {
					t.Errorf("seed %d, piece %d: links of %d calls, and %d are known", seed, piece, calls, known)
				}
			}
			for i, w := range pages {
				f := expect.Value(w.Frame(Ask{Latest: true, IntervalNs: interval, Metric: metric, Colour: hotness.Linear, Unlinked: i == 1}))(t)
				expect.Equal(t, f.ToNs, f.NowNs, "seed %d: the end of the latest window", seed)
				if i == 1 {
					expect.Equal(t, len(f.Links), 0, "seed %d: connections that nobody asked for", seed)
				}
				check(f)
			}
			check(expect.Value(behind.Frame(Ask{ToNs: rng.Int64N(at - all[0].TimeNs + 1), IntervalNs: interval, Metric: metric, Colour: hotness.Linear}))(t))
		}
		expect.OK(t, v.Close())
		expect.OK(t, k.Close())
	}
}
