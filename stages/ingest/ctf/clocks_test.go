package ctf

import (
	"errors"
	"os"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/testdata/readertest"
)

// What goes through a trace beforehand ends when the reading is interrupted.
func TestInterruptedScan(t *testing.T) {
	root := unpacked(t, compass+"ros2.ctf.tar.zst")
	reading := readertest.Reading(os.DirFS(root), "ros2")
	interrupt, asked := errors.New("interrupted"), 0
	err := newReader(reading).Read(func(full *schema.Block) (*schema.Block, error) {
		if asked++; full != nil {
			t.Fatal("events were passed on")
		}
		return new(schema.Block), interrupt
	})
	if !errors.Is(err, interrupt) || asked != 1 {
		t.Errorf("%v after %d blocks were asked for", err, asked)
	}
}
