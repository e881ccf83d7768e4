package mtl

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// TestSparse sees that a run says the same of sparse formulas without any of the states at which no atom holds, and with some of them.
func TestSparse(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 9))
	sparse, left := 0, 0
	for range 6000 {
		text := "globally " + write(r, 1+r.IntN(3))
		if r.IntN(2) == 0 {
			text = "globally if {n=p} then " + write(r, 1+r.IntN(3))
		}
		f := parse(t, text)
		if !Sparse(f) {
			continue
		}
		sparse++
		whole := random(r, r.IntN(60))
		for _, keep := range []int{0, 2} { // of the others none, or half
			part, all := new(Tape), whole.States()
			for i := range all {
				if whole.Tuple(i) != 0 || i == all-1 || keep > 0 && r.IntN(keep) == 0 {
					part.Append(whole.TimeNs(i), whole.Seq(i), whole.Tuple(i))
				}
			}
			part.LeaveOut(all - part.States())
			part.Close()
			left += int(all - part.States())
			for _, twoValued := range []bool{false, true} {
				want := Judge(whole, f, byLetter, twoValued, Keep{Failing: 5, Delays: true})
				got := Judge(part, f, byLetter, twoValued, Keep{Failing: 5, Delays: true})
				expect.Equal(t, fmt.Sprint(bySeq(part, got)), fmt.Sprint(bySeq(whole, want)), "judgement of %s", text)
			}
		}
	}
	if sparse < 1000 || left < 10_000 {
		t.Errorf("only %d formulas are sparse, and %d states were left out", sparse, left)
	}
}

// bySeq numbers the states of a judgement as the trace does.
func bySeq(t *Tape, j Judgement) Judgement {
	if j.Tightest != schema.NoValue {
		j.Tightest = t.Seq(j.Tightest)
	}
	for i := range j.Failing {
		j.Failing[i].State = t.Seq(j.Failing[i].State)
	}
	return j
}

// TestWhatIsSparse names what sees states at which nothing happens.
func TestWhatIsSparse(t *testing.T) {
	for text, sparse := range map[string]bool{
		"globally if {n=p} then within 5 ns {n=q}":                            true,
		"globally if {n=p} then not within 5 ns ({n=q} and finally {n=r})":    true,
		"globally if {n=p} then until not {n=r} we have that {n=q}":           true,
		"globally if {n=p} then during 5 ns (not {n=p} or within 9 ns {n=q})": true,
		"globally not {n=p}":                                    true,
		"globally if {n=p} then during 5 ns {n=q}":              false,
		"globally if {n=p} then within 5 ns not {n=q}":          false,
		"globally if {n=p} then until {n=r} we have that {n=q}": false,
		"globally within 5 ns {n=q}":                            false,
		"globally if not {n=p} then within 5 ns {n=q}":          false,
		"globally (not {n=p} or finally globally {n=q})":        false,
		"during 5 ns if {n=p} then within 5 ns {n=q}":           false,
		"finally {n=q}": false,
		"globally if {n=p} then within 5 ns ({n=q} or within 3 ns {n=r})":             false,
		"globally if {n=p} then within 5 ns ({n=q} or ({n=p} and within 3 ns {n=r}))": true,
	} {
		expect.Equal(t, Sparse(parse(t, text)), sparse, "%s", text)
	}
}
