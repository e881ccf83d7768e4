package verdict

import (
	"slices"
	"testing"

	"github.com/tracelake/tracelake/schema"
)

// TestParseGate checks which words each method knows, and that spaces around commas do not matter.
func TestParseGate(t *testing.T) {
	for _, c := range []struct {
		list, method string
		want         []string
		message      string
	}{
		{"", MethodRuns, nil, ""},
		{"regressed", MethodRuns, []string{"regressed"}, ""},
		{"regressed, candidate ,undetermined", MethodRuns, []string{"regressed", "candidate", "undetermined"}, ""},
		{"improved,changed", "ks", []string{"improved", "changed"}, ""},
		{"candidate", "ks", nil, "only method runs gives the verdict candidate"},
		{"undetermined", "dyn", nil, "only method runs gives the verdict undetermined"},
		{"slower", MethodRuns, nil, `"slower" is none of regressed, improved, changed, errors, undetermined, candidate; separate several with commas`},
		{"regressed,", MethodRuns, nil, `"" is none of regressed, improved, changed, errors, undetermined, candidate; separate several with commas`},
	} {
		got, err := ParseGate(c.list, c.method)
		message := ""
		if err != nil {
			message = err.Error()
		}
		if !slices.Equal(got, c.want) || message != c.message {
			t.Errorf("%q of %s: %q, %q; want %q, %q", c.list, c.method, got, message, c.want, c.message)
		}
	}
}

// TestGateVerdicts checks that changed includes regressed and improved, and that no word means unchanged or a change of
// time that an earlier step explains.
func TestGateVerdicts(t *testing.T) {
	for _, method := range []string{MethodRuns, "dyn"} {
		all, _ := GateVerdicts(gateChanged, method)
		for _, word := range []string{gateRegressed, gateImproved} {
			verdicts, known := GateVerdicts(word, method)
			if !known || len(verdicts) != 1 || !slices.Contains(all, verdicts[0]) {
				t.Errorf("%s of %s means %q, changed means %q", word, method, verdicts, all)
			}
		}
		for _, word := range gateWords {
			verdicts, _ := GateVerdicts(word, method)
			for _, never := range []string{schema.Unchanged, schema.Undetermined, schema.Later, schema.Sooner} {
				if slices.Contains(verdicts, never) {
					t.Errorf("%s of %s means %s", word, method, never)
				}
			}
		}
	}
	if _, known := GateVerdicts("nonsense", MethodRuns); known {
		t.Error("nonsense is a word")
	}
}
