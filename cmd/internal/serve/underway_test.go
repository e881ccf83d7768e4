package serve

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/pipeline/memory"
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
