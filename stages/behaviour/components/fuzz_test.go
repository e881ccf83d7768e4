package components_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/components"
	"github.com/tracelake/tracelake/testdata/expect"
)

// FuzzParseEvent checks that a name that can be taken apart is what its parts make, and that operations are read or refused.
func FuzzParseEvent(f *testing.F) {
	for _, name := range []string{
		"A.I__f__blk", "A_1_untraced.s_I___f____evt_ret", "A.I__f__fcn_sync_ret__B", "A.I__f__wait_ret_arslt__B__C", "HideActions(.*)",
		"<inclusion,A>ModifyRepetitions(plain,0,0,true,0)", ".__", "A.I____f",
	} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		if e, err := components.ParseEvent(name); err == nil && e.String() != name {
			t.Errorf("%q is taken for %q", name, e)
		}
		if op, err := components.ParseOperation(name); err == nil && op.Name == "" {
			t.Errorf("%q is no operation", name)
		}
	})
}

// FuzzReadCIF checks that a text is read or refused, and that what was read is written so that it is read again.
func FuzzReadCIF(f *testing.F) {
	for _, path := range []string{
		"models/Base/output_expected/Server.cif", "options/ModelPerComponent/output_expected/allComponents.cif",
		"operations/AddAsyncPatternConstraintsTest/Client_Fcn_Fcncb/output_expected/Client_Fcn_Fcncb.cif",
	} {
		text := expect.Value(os.ReadFile(filepath.Join(recorded, path)))(f)
		f.Add(string(text))
	}
	f.Add("automaton $A:\n disc int[0..3] cnt;\n location a:\n initial;\n edge tau when cnt < 3 do cnt := cnt + 1 goto a;\nend")
	f.Fuzz(func(t *testing.T, text string) {
		s := &components.Set{Alphabet: new(schema.Dictionary)}
		models, err := components.ReadCIF("f", text, s.Alphabet)
		if err != nil {
			return
		}
		for _, m := range models {
			written := writeCIF(t, s, m)
			again, err := components.ReadCIF("f", written, s.Alphabet)
			if err != nil || len(again) != 1 || writeCIF(t, s, again[0]) != written || again[0].Transitions() != m.Transitions() {
				t.Fatalf("%q is written as %q: %v", text, written, err)
			}
		}
	})
}
