package etf

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/checks/testdata/etfcases"
	"github.com/tracelake/tracelake/testdata/expect"
)

// TestOrderOfOneTime: where no claim shares a resource with another, states of one time come as checks have them, to the last one.
func TestOrderOfOneTime(t *testing.T) {
	kinds := map[schema.Kind]etfcases.Kind{schema.Enter: etfcases.Start, schema.Exit: etfcases.End, schema.Regular: etfcases.Event}
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 7))
		text := "TU NANOSECONDS\n"
		for i := range 1 + r.IntN(12) {
			from := r.IntN(4)
			if r.IntN(4) == 0 {
				text += fmt.Sprintf("E %d %d;name=f%d\n", i, from, i)
			} else {
				text += fmt.Sprintf("R %d 1 false;name=r%d\nC %d %d %d %d 1;name=f%d\n", i, i, i, from, from+r.IntN(4), i, i)
			}
		}
		// Dependencies must not part what they end at from its place.
		for i := range r.IntN(4) {
			text += fmt.Sprintf("D %d %d %d %d;\n", i, r.IntN(4), r.IntN(12), r.IntN(12))
		}
		var want, got []string
		for _, s := range etfcases.Read(t, text).States {
			want = append(want, fmt.Sprint(s.TimeNs, s.Kind, s.Attributes["name"]))
		}
		told := listen(t, text, schema.ReadingOptions{}, 1<<20, false)
		expect.OK(t, told.err)
		for i, ns := range told.block.TimeNs {
			k := told.reader.Keys().At(told.block.Key[i])
			if kind, state := kinds[k.Kind]; state {
				got = append(got, fmt.Sprint(ns, kind, k.Function))
			}
		}
		expect.Equal(t, strings.Join(got, "\n"), strings.Join(want, "\n"), "seed %d\n%s", seed, text)
	}
}

// TestOrderOnALifeline: what lies in one another starts from outside and ends from inside, wherever it stands in the text, and
// claims elsewhere keep their places around it.
func TestOrderOnALifeline(t *testing.T) {
	text := `TU NANOSECONDS
R 0 1 false;name=r
R 1 1 false;name=q
C 0 5 7 0 1;name=inner
C 1 5 9 1 1;name=before
C 2 5 9 0 1;name=outer
C 3 5 5 0 1;name=none
C 4 7 9 0 1;name=last
C 5 8 9 1 1;name=held
`
	want := strings.Fields("enter:outer enter:inner enter:before enter:none exit:none exit:inner enter:last enter:held " +
		"exit:held exit:before exit:last exit:outer")
	told := listen(t, text, schema.ReadingOptions{}, 1<<20, true)
	expect.OK(t, told.err)
	var got []string
	for i := range told.block.TimeNs {
		k := told.reader.Keys().At(told.block.Key[i])
		got = append(got, schema.KindWords[k.Kind]+":"+k.Function)
	}
	expect.Slice(t, got, want, "events")
}
