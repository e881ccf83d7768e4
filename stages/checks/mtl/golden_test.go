package mtl

import (
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/tracelake/tracelake/stages/checks/spec"
	"github.com/tracelake/tracelake/stages/checks/testdata/etfcases"
	"github.com/tracelake/tracelake/testdata/expect"
)

// TestHydra sees the verdicts of HYDRA at every event that it decided.
func TestHydra(t *testing.T) {
	files := make(map[string]string)
	for _, f := range expect.Value(txtar.ParseFile("testdata/hydra.txtar"))(t).Files {
		files[f.Name] = string(f.Data)
	}
	verdicts := 0
	for name, text := range files {
		name, is := strings.CutSuffix(name, ".etl")
		if !is {
			continue
		}
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
		s := expect.Value(spec.Parse(name, text))(t)
		f := expect.Value(s.Instances(&s.Checks[0], nil))(t)[0].Formula.Args[0] // the check is globally f
		want := strings.TrimSpace(files[name+".verdicts"])
		// What the trace decides is that in which the weak and the strong truth agree.
		for m := Finite; m <= Weak; m++ {
			truthAt(tape, f, leaves, m, func(i int64, holds bool) {
				if int(i) < len(want) && holds != (want[i] == '1') {
					t.Errorf("%s, event %d, mode %d: %v, HYDRA says %c", name, i, m, holds, want[i])
				}
			})
		}
		verdicts += len(want)
	}
	if verdicts < 4000 {
		t.Errorf("only %d verdicts were compared", verdicts)
	}
}
