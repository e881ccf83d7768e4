package serve

import (
	"context"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/memory"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// TestMemoryIsShort gives up what is asked for while memory is short: the reader is told what to raise, and the server answers the next one. What failed by
// itself, or was given up by its reader, says so.
func TestMemoryIsShort(t *testing.T) {
	s := &site{}
	begun, short := make(chan struct{}), &memory.ExceededError{Budget: 256 << 20}
	page := s.answer(func(r *http.Request) (any, error) {
		if r.URL.Path == "/small" {
			return "fine", nil
		}
		close(begun)
		<-r.Context().Done()
		return nil, r.Context().Err()
	})
	go func() {
		<-begun
		s.underWay.giveUp(short)
	}()
	get := func(ctx context.Context, path string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		page(w, httptest.NewRequest(http.MethodGet, path, nil).WithContext(ctx))
		return w
	}
	w := get(t.Context(), "/large")
	if text := w.Body.String(); w.Code != http.StatusServiceUnavailable || !strings.Contains(text, "need more memory than --memory 256MiB: raise it to 512MiB") {
		t.Errorf("%d %s", w.Code, text)
	}
	expect.Equal(t, len(s.underWay.cancel), 0, "requests under way")
	expect.Equal(t, get(t.Context(), "/small").Code, http.StatusOK, "the next request")
	begun = make(chan struct{})
	ctx, leave := context.WithCancel(t.Context())
	leave()
	expect.Equal(t, strings.Contains(get(ctx, "/large").Body.String(), "--memory"), false, "a reader who left")
}

// TestRoomForComparisons sees that a verdict and a report of more rows than fit are refused before they are read, with the memory that they need; the report needs three
// times that of the verdict.
func TestRoomForComparisons(t *testing.T) {
	l := newLake(t)
	f := &command{Globals: &console.Globals{Lake: l.Dir, Memory: 1 << 20, Jobs: 1}}
	s := f.site(t.Context(), l)
	rows := make([]schema.Change, 300)
	size := int64(len(rows)) * int64(reflect.TypeFor[schema.Change]().Size())
	fingerprint := lake.Fingerprint("hand", 1, "x", nil)
	staging := expect.Value(l.Stage("hand", lake.Comparison("x"), fingerprint))(t)
	file := expect.Value(lake.Write(staging, "changes", lake.NoBucket, rows))(t)
	expect.OK(t, staging.Commit(&lake.Manifest{Table: "changes", Fingerprint: fingerprint, Files: []lake.File{file}}, &lake.Manifest{Table: "findings", Fingerprint: fingerprint}))
	v := expect.Value(s.partition("comparison", "x"))(t)
	for _, c := range []struct {
		memory int64
		times  int64
		fits   bool
	}{{size, timesVerdict, true}, {size - 1, timesVerdict, false}, {3 * size, timesReport, true}, {3*size - 1, timesReport, false}} {
		s.memory = c.memory
		err := s.roomFor(v, "x", c.times)
		expect.Equal(t, err == nil, c.fits, "%d bytes, %d times: %v", c.memory, c.times, err)
		if err != nil && !strings.Contains(err.Error(), "the 300 rows of comparison x need more memory than --memory 1MiB: raise it to ") {
			t.Error(err)
		}
	}
	s.memory = 3*size - 1
	if code, said := told(s.reportable("x")); code != http.StatusServiceUnavailable || !strings.Contains(said, "--memory") {
		t.Errorf("the report: %d %s", code, said)
	}
	s.memory = size - 1
	r := httptest.NewRequest(http.MethodGet, "/api/comparison/x/verdict", nil)
	r.SetPathValue("name", "x")
	_, err := s.verdict(r)
	if code, said := told(err); code != http.StatusServiceUnavailable || !strings.Contains(said, "--memory") {
		t.Errorf("the verdict: %d %s", code, said)
	}
}

// TestReportsAreGivenUp asks for a report while memory is short.
func TestReportsAreGivenUp(t *testing.T) {
	l := newLake(t)
	f := &command{Globals: &console.Globals{Lake: l.Dir, Memory: 512 << 20, Jobs: 1}}
	s := f.site(t.Context(), l)
	s.querying <- struct{}{} // something else is computed, so that the report waits
	w := httptest.NewRecorder()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	r := httptest.NewRequest(http.MethodGet, "/report/r1", nil).WithContext(ctx)
	r.SetPathValue("name", "r1")
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		s.report(w, r)
	}()
	for open := true; open; {
		s.underWay.giveUp(&memory.ExceededError{Budget: 256 << 20})
		select {
		case <-ended:
			open = false
		case <-time.After(time.Millisecond):
		}
	}
	if text := w.Body.String(); w.Code != http.StatusServiceUnavailable || !strings.Contains(text, "need more memory than --memory 256MiB") {
		t.Errorf("%d %s", w.Code, text)
	}
}
