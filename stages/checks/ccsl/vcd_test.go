package ccsl

import (
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

const head = `$date today $end
$comment alias s__main__a "s::main::a" $end
$comment scale 0.1 $end
$scope module top $end
$var event 1 !1 s__main__a $end
$var event 1 !2 main__b $end
$upscope $end
$enddefinitions $end
`

func stepsOf(t *testing.T, text string) ([]string, [][]int32, error) {
	t.Helper()
	v, err := OpenVCD(strings.NewReader(text), "x.vcd")
	if err != nil {
		return nil, nil, err
	}
	var steps [][]int32
	for s, bad := range v.Run().Steps {
		if err = bad; err != nil {
			break
		}
		steps = append(steps, slices.Clone(s))
	}
	return v.Names, steps, err
}

func TestVCD(t *testing.T) {
	for _, c := range []struct {
		body string
		want [][]int32
	}{
		{"", nil},
		{"#0\n1!1\n#10\n#20\n1!2 1!1\n#30\nz!1\nz!2\n", [][]int32{{0}, nil, {1, 0}}}, // the last step only ends clocks
		{"#0\n1!1\n#1\n", [][]int32{{0}, nil}},
		{"#7\n0!1\n1!2\n#8\n1!1\nz!1", [][]int32{{1}, {0}}},
		{"#0 $comment 1!1 $end 1!2", [][]int32{{1}}},
	} {
		names, steps, err := stepsOf(t, head+c.body)
		if err != nil || !slices.Equal(names, []string{"s::main::a", "main::b"}) {
			t.Errorf("%q: %v %v", c.body, names, err)
		}
		if !slices.EqualFunc(steps, c.want, slices.Equal[[]int32]) {
			t.Errorf("%q: got %v, want %v", c.body, steps, c.want)
		}
	}
}

func TestVCDErrors(t *testing.T) {
	for _, c := range []struct {
		text string
		line int64
		want string
	}{
		{"", 1, "expected $enddefinitions"},
		{"#0", 1, "expected a section"},
		{"$date\ntoday", 2, "$date has no $end"},
		{"$var wire 1 ! a $end", 1, "expected $var event 1 code name $end"},
		{"$var event 1 ! a $end\n$var event 1 ! b $end", 2, "stands for two clocks"},
		{head + "1!1", 9, "expected # and a step"},
		{head + "#0\n1!3\n", 10, `found "1!3"`},
		{head + "#0\n$comment", 10, "unexpected EOF"},
	} {
		_, _, err := stepsOf(t, c.text)
		var at *schema.SyntaxError
		if !errors.As(err, &at) || at.Line != c.line || at.File != "x.vcd" || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: got %v, want line %d and %q", c.text, err, c.line, c.want)
		}
	}
	if _, _, err := stepsOf(t, "$date"); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Error(err)
	}
}

// A recorded run is checked against a specification whose paths it writes in its own way.
func TestRecorded(t *testing.T) {
	fsys := systemOf(`Block main { Clock a Clock b Relation r[Precedes](LeftClock -> a, RightClock -> b) }`)
	spec := expect.Value(readMain(fsys, Dialect{}))(t)
	text := strings.Replace(head, "$upscope", "$var event 1 !3 s__main__r__Def__local $end $upscope", 1)
	v := expect.Value(OpenVCD(strings.NewReader(text+"#0\n1!1\n#1\n1!2\n1!3\n#2\n1!2"), "x.vcd"))(t)
	r, err := Check(spec, v.Run())
	if err != nil || r.Steps != 3 || r.Verdicts[0].Step != 2 || r.Verdicts[0].Clock != 1 {
		t.Errorf("%+v %v", r, err)
	}
	expect.Slice(t, r.Unknown, []string{"s::main::r::Def::local"}, "unknown")
	v = expect.Value(OpenVCD(strings.NewReader(text+"#0\n1!1\n#1\n1?2\n"), "x.vcd"))(t)
	if r, err = Check(spec, v.Run()); err == nil || r.Steps != 1 {
		t.Errorf("a bad step: %+v %v", r, err)
	}
}
