package pipeline_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

// A listener is a test that notes what is said to it and goes on.
type listener struct {
	testing.TB
	said string
}

func (*listener) Helper()                      {}
func (l *listener) Fatal(args ...any)          { l.said += fmt.Sprint(args...) }
func (l *listener) Errorf(f string, as ...any) { l.said += fmt.Sprintf(f, as...) }
func (l *listener) Fatalf(f string, as ...any) { l.said += "ended: " + fmt.Sprintf(f, as...) }

// TestExpect sees that the checks which all tests share are silent about what holds, and say what does not.
func TestExpect(t *testing.T) {
	full := errors.New("disk full")
	for want, check := range map[string]func(t testing.TB){
		"disk full":                 func(t testing.TB) { expect.OK(t, nil); expect.OK(t, full) },
		"no disk":                   func(t testing.TB) { expect.Value(3, errors.New("no disk"))(t) },
		"call 7: got 3, want 4":     func(t testing.TB) { expect.Equal(t, 3, 3, ""); expect.Equal(t, 3, 4, "call %d", 7) },
		"ended: f: got 1, want 2":   func(t testing.TB) { expect.Equal(expect.Must(t), 1, 2, "f") },
		`name: got "a", want "b"`:   func(t testing.TB) { expect.Equal(t, "a", "b", "name") },
		"text: got\na\n\nwant\nb":   func(t testing.TB) { expect.Equal(t, "a\n", "b", "text") },
		"ids: got [], want [<nil>]": func(t testing.TB) { expect.Deep(t, []any{}, []any{nil}, "ids"); expect.Deep(t, 1, 1, "") },
		"ids: from element 1 on got [1 2], want [1 3]": func(t testing.TB) {
			expect.Slice(t, nil, []int{}, "")
			expect.Slice(t, []int{1, 2}, []int{1, 3}, "ids")
		},
		"rows: from element 1 on got\n\ta\n\tb\nwant\n\ta\n\t" + strings.Repeat("c", 80): func(t testing.TB) {
			expect.Slice(t, []string{"a", "b"}, []string{"a", strings.Repeat("c", 80)}, "rows")
		},
		"ids: from element 1 on got [1], want [1 3]": func(t testing.TB) { expect.Slice(t, []int{1}, []int{1, 3}, "ids") },
		`write: the error is <nil>, want one with "full"`: func(t testing.TB) {
			expect.Refused(t, full, "full", "")
			expect.Refused(t, nil, "full", "write")
		},
		`write: the error is disk full, want one with "empty"`: func(t testing.TB) { expect.Refused(t, full, "empty", "write") },
	} {
		var l listener
		if check(&l); l.said != want {
			t.Errorf("said %q, want %q", l.said, want)
		}
	}
	if got := expect.Value(3, nil)(t); got != 3 {
		t.Errorf("the value 3 is %d", got)
	}
}
