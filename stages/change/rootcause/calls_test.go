package rootcause

import (
	"fmt"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// A request that ends early leaves out what it would call, and what that calls. One finding says so, at the caller that decides; what is
// also slower each time stays a finding of its own.
func TestCallsAreOneFinding(t *testing.T) {
	shop := func(share, choose float64) program {
		return program{[]string{"front.get"}, map[string]work{
			"front.get":    {own: []float64{200 * us}, calls: []call{{"cart.serve", 1}, {"prices.serve", 10 * share}, {"ads.serve", share}}},
			"cart.serve":   {own: []float64{2 * ms}},
			"prices.serve": {own: []float64{ms}, calls: []call{{"db.select", 2}}},
			"db.select":    {own: []float64{ms}},
			"ads.serve":    {own: []float64{choose}},
		}}
	}
	for _, c := range []struct {
		name          string
		share, choose float64
		want          []string
	}{
		{"ends early", .5, 3 * ms, []string{"count_changed front.get calls to ads, db, prices"}},
		{"goes on longer", 2, 3 * ms, []string{"count_changed front.get calls to ads, db, prices"}},
		{"ends early, and one is slower", .5, 30 * ms, []string{"count_changed front.get calls to db, prices", "regressed ads.serve step 0 of serve"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := compare(shop(1, 3*ms), shop(c.share, c.choose))
			var got []string
			total := int64(0)
			for _, f := range Find(s, defaults()) {
				got = append(got, fmt.Sprintf("%s %s.%s %s", f.Verdict, f.Component, f.Function, f.Subject))
				total += f.EffectNs
			}
			expect.Slice(t, got, c.want, "findings")
			for _, one := range s {
				if row := one.Change; row.Level == schema.LevelFragment && one.Initial {
					expect.Equal(t, total, *row.EffectNs, "sum of the effects, and that of the root execution")
				}
			}
		})
	}
}

// What a caller does between its calls goes with their number, also where it calls one function only: it is part of that finding, which names
// the callee and not the caller as what is called.
func TestCallsTakeWhatIsBetweenThem(t *testing.T) {
	shop := func(share float64) program {
		return program{[]string{"front.get"}, map[string]work{
			"front.get":    {own: []float64{ms, 4 * ms * share}, calls: []call{{"prices.serve", 10 * share}}},
			"prices.serve": {own: []float64{2 * ms}},
		}}
	}
	for _, share := range []float64{.5, 2} {
		s := compare(shop(1), shop(share))
		var got []string
		for _, f := range Find(s, defaults()) {
			got = append(got, fmt.Sprintf("%s %s.%s %s: %d", f.Verdict, f.Component, f.Function, f.Subject, f.EffectNs))
		}
		expect.Slice(t, got, []string{fmt.Sprintf("count_changed front.get calls to prices: %d", int64(24*ms*(share-1)))}, "findings")
	}
}

// Where only one callee of those that are called less is shown to have changed, the rest of the caller's time still belongs to the calls: it is
// no finding of its own that the caller became faster as a whole.
func TestCallsTakeTheRest(t *testing.T) {
	shop := func(share float64) program {
		return program{[]string{"front.get"}, map[string]work{
			"front.get":    {own: []float64{200 * us}, calls: []call{{"prices.serve", 10 * share}, {"ads.serve", share}}},
			"prices.serve": {own: []float64{ms}, calls: []call{{"db.select", 2}}},
			"db.select":    {own: []float64{4 * ms}},
			"ads.serve":    {own: []float64{ms}},
		}}
	}
	s := compare(shop(1), shop(.5))
	for i := range s {
		if c := s[i].Change; c.Component == "db" {
			c.Verdict, c.Detected = schema.Undetermined, false
		}
	}
	var got []string
	for _, f := range Find(s, defaults()) {
		got = append(got, fmt.Sprintf("%s %s.%s %s", f.Verdict, f.Component, f.Function, f.Subject))
	}
	expect.Slice(t, got, []string{"count_changed front.get calls to ads, prices"}, "findings")
}

// What is called less takes less time for that alone; that each call of it is faster besides is said only where the interval leaves the calls
// alone out. Else the noise of a callee would be a cause of its own, which the change of its caller makes significant.
func TestCallsExplainWhatIsNotShown(t *testing.T) {
	shop := func(share, choose float64) program {
		return program{[]string{"front.get"}, map[string]work{
			"front.get":    {own: []float64{200 * us}, calls: []call{{"prices.serve", 10 * share}, {"ads.serve", share}}},
			"prices.serve": {own: []float64{ms}},
			"ads.serve":    {own: []float64{choose}},
		}}
	}
	for _, c := range []struct {
		name  string
		width int64 // ns, of the interval on each side
		want  []string
	}{
		{"narrow", int64(20 * us), []string{"improved prices.serve step 0 of serve", "improved ads.serve step 0 of serve"}},
		{"wide", int64(250 * us), []string{"count_changed front.get calls to ads, prices"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := compare(shop(1, 3*ms), shop(.9, 2.8*ms))
			for i := range s {
				if row := s[i].Change; row.Component == "ads" {
					*row.EffectLoNs, *row.EffectHiNs = *row.EffectNs-c.width, *row.EffectNs+c.width
				}
			}
			var got []string
			for _, f := range Find(s, defaults()) {
				got = append(got, fmt.Sprintf("%s %s.%s %s", f.Verdict, f.Component, f.Function, f.Subject))
			}
			expect.Slice(t, got, c.want, "findings")
		})
	}
}
