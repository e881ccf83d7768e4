package mtl

import (
	"strings"
	"testing"

	"github.com/tracelake/tracelake/stages/checks/spec"
	"github.com/tracelake/tracelake/stages/checks/testdata/etfcases"
	"github.com/tracelake/tracelake/testdata/expect"
)

// TestHydra sees the verdicts of HYDRA at every event that it decided.
func TestHydra(t *testing.T) {
	files := etfcases.Files(t, "testdata/hydra.txtar", "mtl-per-event")
	verdicts := 0
	for _, name := range etfcases.Stems(files, ".etl") {
		trace := etfcases.Read(t, files[name+".etf"])
		tape := new(Tape)
		for i, s := range trace.States {
			tape.Append(s.TimeNs, int64(i), uint32(i))
		}
		tape.Close()
		leaves := func(f *spec.Formula) *Leaf {
			if f.Op != spec.Atom {
				return nil
			}
			l := new(Leaf)
			for _, s := range trace.States {
				all := true
				for _, p := range f.Filter.Pairs {
					all = all && s.Attributes[p.Name] == p.Value
				}
				l.Holds = append(l.Holds, all)
			}
			return l
		}
		s := expect.Value(spec.Parse(name, files[name+".etl"]))(t)
		f := expect.Value(s.Instances(&s.Checks[0], nil))(t)[0].Formula.Args[0] // the check is globally f
		want := strings.TrimSpace(files[name+".verdicts"])
		// What the trace decides is that in which the weak and the strong truth agree.
		for m := Finite; m <= Weak; m++ {
			compared := 0
			truthAt(tape, f, leaves, m, func(i int64, holds bool) {
				if int(i) >= len(want) {
					return
				}
				if compared++; holds != (want[i] == '1') {
					t.Errorf("%s, event %d, mode %d: %v, HYDRA says %c", name, i, m, holds, want[i])
				}
			})
			expect.Equal(t, compared, len(want), "verdicts of %s that were compared", name)
			verdicts += compared
		}
	}
	if verdicts < 3*4000 {
		t.Errorf("only %d verdicts were compared", verdicts)
	}
}
