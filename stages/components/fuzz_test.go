package components_test

import (
	"testing"

	"github.com/tracelake/tracelake/stages/components"
)

// FuzzParseEvent sees that a name that can be taken apart is what its parts make, and that operations are read or refused.
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
