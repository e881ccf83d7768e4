package ingest_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/pipeline/ingest"
)

// TestReceivedBeforeSent ingests calls between two components of which one has a clock that is behind by seven calls. All messages
// are there and each that is received first is counted, in one pass and in slices.
func TestReceivedBeforeSent(t *testing.T) {
	const calls, behind = 200, 70
	var lines []string
	add := func(ns int, text string) { lines = append(lines, fmt.Sprintf("%06d %s\n", ns, text)) }
	for i := range calls {
		at := 1000 + 10*i
		add(at, fmt.Sprintf("a > f !%d", 2*i))
		add(at+1-behind, fmt.Sprintf("b > g ?%d", 2*i))
		add(at+3-behind, fmt.Sprintf("b < g !%d", 2*i+1))
		add(at+4, fmt.Sprintf("a < f ?%d", 2*i+1))
	}
	slices.Sort(lines)
	path := filepath.Join(t.TempDir(), "trace")
	noError(t, os.WriteFile(path, []byte(strings.Join(lines, "")), 0o666))
	j := job(t, path)
	run, losses, err := ingest.Run(t.Context(), j)
	noError(t, err)
	if run.Messages != 2*calls || len(losses) != 1 || losses[0].Reason != "received_before_sent" || losses[0].Count != calls {
		t.Errorf("%d messages, losses %v; want %d messages, %d of them received before they are sent", run.Messages, losses, 2*calls, calls)
	}
	for _, pieces := range []int64{2, 7} {
		sameInPieces(t, j, pieces, 100)
	}
}
