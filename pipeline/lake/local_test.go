package lake

import (
	"os"
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

// TestCommitSyncs checks that a file is synced before it counts as written: what cannot be synced, as a pipe, is not committed.
func TestCommitSyncs(t *testing.T) {
	r, w, err := os.Pipe()
	expect.OK(t, err)
	defer r.Close()
	if err := (newLocalObject{w}).Commit(); err == nil {
		t.Error("a pipe, which cannot be synced, was committed")
	}
	f, err := os.Create(t.TempDir() + "/file")
	expect.OK(t, err)
	expect.OK(t, newLocalObject{f}.Commit())
}
