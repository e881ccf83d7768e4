// Package expect says in one line what a test expects. What is not so fails the test with both sides and the words of the
// test on what it compared, so a failure reads without the source. Only tests import it.
//
// A check costs no more than its comparison as long as it holds; its arguments are formatted only when it fails.
package expect

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// OK ends the test at an error.
func OK(t testing.TB, err error) {
	if err != nil {
		t.Helper()
		t.Fatal(err)
	}
}

// Value takes what a function returns and gives out its value, or ends the test at its error:
//
//	l := expect.Value(lake.Open(dir, true))(t)
//
// A call with several results fills the parameters of another one only alone, hence the test in a second call.
func Value[T any](value T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		if err != nil {
			t.Helper()
			t.Fatal(err)
		}
		return value
	}
}

// Must is a test that ends at the first report: for what the rest of the test rests on, and for loops that would report the
// same thing over and over.
func Must(t testing.TB) testing.TB { return must{t} }

type must struct{ testing.TB }

func (m must) Errorf(format string, args ...any) {
	m.Helper()
	m.Fatalf(format, args...)
}

// Equal reports two values that differ. What says what they are, as a format with its arguments.
func Equal[T comparable](t testing.TB, got, want T, what string, args ...any) {
	if got != want {
		t.Helper()
		t.Errorf("%s: %s", fmt.Sprintf(what, args...), difference(got, want))
	}
}

// Slice reports two slices of which an element or the length differs, and the first such place. Nil equals empty.
func Slice[E comparable](t testing.TB, got, want []E, what string, args ...any) {
	if !slices.Equal(got, want) {
		t.Helper()
		i := 0
		for i < min(len(got), len(want)) && got[i] == want[i] {
			i++
		}
		t.Errorf("%s: from element %d on %s", fmt.Sprintf(what, args...), i, difference(got, want))
	}
}

// Deep reports two values that differ for reflect.DeepEqual, for which nil is not empty.
func Deep(t testing.TB, got, want any, what string, args ...any) {
	if !reflect.DeepEqual(got, want) {
		t.Helper()
		t.Errorf("%s: %s", fmt.Sprintf(what, args...), difference(got, want))
	}
}

// Refused reports an error that is nil or lacks the words.
func Refused(t testing.TB, err error, words, what string, args ...any) {
	if err == nil || !strings.Contains(err.Error(), words) {
		t.Helper()
		t.Errorf("%s: the error is %v, want one with %q", fmt.Sprintf(what, args...), err, words)
	}
}

// difference shows two sides that differ: texts of several lines as they are, and long lists of texts a line each, so that
// they can be compared and copied.
func difference(got, want any) string {
	g, w := fmt.Sprintf("%+v", got), fmt.Sprintf("%+v", want)
	list, isList := got.([]string)
	switch _, text := got.(string); {
	case isList && len(g)+len(w) > 80:
		return fmt.Sprintf("got\n\t%s\nwant\n\t%s", strings.Join(list, "\n\t"), strings.Join(want.([]string), "\n\t"))
	case len(g)+len(w) > 80 || strings.Contains(g+w, "\n"):
		return fmt.Sprintf("got\n%s\nwant\n%s", g, w)
	case text:
		return fmt.Sprintf("got %q, want %q", g, w)
	}
	return fmt.Sprintf("got %s, want %s", g, w)
}
