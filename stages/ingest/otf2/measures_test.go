package otf2

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/stages/ingest/testdata/readertest"
	"github.com/tracelake/tracelake/testdata/expect"
)

// TestMeasures reads the counters of PAPI and the lengths of messages of a program of two ranks, all as otf2-print has them.
func TestMeasures(t *testing.T) {
	dir := readertest.ThirdParty(t, "otf2", "ping-pong-otf2-papi")
	reading := readertest.Reading(os.DirFS(dir), "traces.otf2")
	reading.Options.Attributes = []string{"bytes"}
	got := readertest.Attributes(t, Format(), reading)
	var values, bytes []string
	for _, line := range printed(t, dir+"/traces.otf2") {
		var length, location, n int64
		if at := strings.Index(line, "Length: "); at >= 0 && strings.HasPrefix(line, "MPI_") {
			fmt.Sscanf(line[at:], "Length: %d", &length)
			bytes = append(bytes, fmt.Sprint(length))
		}
		if !strings.HasPrefix(line, "METRIC ") {
			continue
		}
		fmt.Sscanf(strings.Fields(line)[1], "%d", &location)
		for _, part := range strings.Split(line, "; ")[1:] {
			if _, err := fmt.Sscanf(part, "%d)", &n); err == nil {
				values = append(values, fmt.Sprint(location, " ", n))
			}
		}
	}
	var signals, lengths []string
	for _, line := range got {
		words := strings.Fields(line)
		if words[0] == "signal" {
			signals = append(signals, words[2]) // signal FROM..TO VALUE NAME
		} else {
			_, length, _ := strings.Cut(line, "bytes=")
			lengths = append(lengths, length)
		}
	}
	for i, v := range values {
		values[i] = v[2:]
	}
	slices.Sort(values)
	slices.Sort(signals)
	if len(values) != 3*84 || len(bytes) == 0 {
		t.Fatalf("otf2-print has %d values and %d messages", len(values), len(bytes))
	}
	slices.Sort(bytes)
	slices.Sort(lengths)
	expect.Slice(t, lengths, bytes, "lengths of messages")
	expect.Equal(t, len(signals), len(values), "values of metrics")
	for _, v := range signals {
		var is float64
		if _, err := fmt.Sscan(v, &is); err != nil || !slices.Contains(values, fmt.Sprintf("%.0f", is)) {
			t.Errorf("the value %s is not one that otf2-print has; %v", v, err)
		}
	}
}
