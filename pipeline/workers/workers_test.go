package workers_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/pipeline/workers"
)

// TestPanicIsAnError panics in one function of a group: the others are cancelled, and the error says where.
func TestPanicIsAnError(t *testing.T) {
	group, inner := workers.WithContext(context.Background())
	group.SetLimit(2)
	group.Go(func() error { <-inner.Done(); return inner.Err() })
	group.Go(func() error {
		var none []int
		_ = none[len(t.Name())]
		return nil
	})
	err := group.Wait()
	var bug *workers.Panic
	if !errors.As(err, &bug) || !strings.Contains(bug.Place, "(workers_test.go:19)") || !strings.Contains(string(bug.Stack), "workers_test.go:19") {
		t.Fatalf("the error is %v", err)
	}
	if want := "this is a bug of the program: runtime error: index out of range [18] with length 0"; !strings.HasPrefix(err.Error(), want) {
		t.Errorf("the error is %q, want %q first", err, want)
	}
}

// TestErrorsPass checks that errors are those of the functions.
func TestErrorsPass(t *testing.T) {
	group, _ := workers.WithContext(context.Background())
	want := errors.New("no")
	group.Go(func() error { return want })
	group.Go(func() error { return nil })
	if err := group.Wait(); err != want {
		t.Errorf("the error is %v", err)
	}
}
