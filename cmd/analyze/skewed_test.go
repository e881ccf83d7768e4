package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/pipeline/ingest"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/jaeger"
	"github.com/tracelake/tracelake/stages/ingest/otf2"
	"github.com/tracelake/tracelake/stages/ingest/otlp"
	"github.com/tracelake/tracelake/stages/ingest/text"
	"github.com/tracelake/tracelake/stages/ingest/zipkin"
	"github.com/tracelake/tracelake/testdata/expect"
	"github.com/tracelake/tracelake/testdata/skewed"
)

// clocksApart are traces of one system whose services have clocks of their own.
var clocksApart = []struct {
	name  string
	trace skewed.Trace
}{
	{"offsets", skewed.Trace{Requests: 100, EveryNs: 20e6, Clocks: map[string]skewed.Clock{"back-1": {AheadNs: 7e6}, "db-1": {AheadNs: -4e6}}}},
	{"drift", skewed.Trace{Requests: 150, EveryNs: 20e6, Clocks: map[string]skewed.Clock{"back-1": {AheadNs: 7e6, GainsPpm: 50}, "db-1": {GainsPpm: -30}}}},
	{"overlapping", skewed.Trace{Requests: 100, EveryNs: 1_500_000, Clocks: map[string]skewed.Clock{"back-1": {AheadNs: 7e6}, "db-1": {AheadNs: -4e6}}}},
	{"INTERNAL spans", skewed.Trace{Requests: 100, EveryNs: 20e6, Internal: true, Clocks: map[string]skewed.Clock{"back-1": {AheadNs: 7e6}, "db-1": {AheadNs: -4e6}}}},
	{"two pods", skewed.Trace{Requests: 200, EveryNs: 20e6, Pods: true, Clocks: map[string]skewed.Clock{"back-1": {AheadNs: 7e6}, "back-2": {AheadNs: -7e6}, "db-1": {AheadNs: -4e6}}}},
	{"INTERNAL spans of two pods that overlap", skewed.Trace{Requests: 200, EveryNs: 1_500_000, Pods: true, Internal: true,
		Clocks: map[string]skewed.Clock{"back-1": {AheadNs: 7e6}, "back-2": {AheadNs: -7e6}, "db-1": {AheadNs: -4e6}}}},
}

// skewedFormat writes a trace in a format.
type skewedFormat struct {
	name   string
	write  func(*skewed.Trace) map[string][]byte
	format func() schema.Format
	of     string                   // --clock-of
	zeroNs int64                    // the time of the trace's zero, ns since 1970
	clock  func(name string) string // the instance of a clock
	fits   func(*skewed.Trace) bool
}

var skewedFormats = []skewedFormat{
	{"otlp", oneFile((*skewed.Trace).OTLP), otlp.Format, "", 0, same, every},
	{"jaeger", oneFile((*skewed.Trace).Jaeger), jaeger.Format, "", 0, same, every},
	{"zipkin", oneFile((*skewed.Trace).Zipkin), zipkin.Format, "", 0, func(name string) string {
		return map[string]string{"10.0.0.1": "front-1", "10.0.0.2": "back-1", "10.0.0.3": "back-2", "10.0.0.4": "db-1"}[name]
	}, every},
	{"text", oneFile((*skewed.Trace).Text), text.Thesis, "component", 0, func(name string) string { return name + "-1" },
		func(t *skewed.Trace) bool { return !t.Pods && !t.Internal && t.EveryNs > 8e6 }}, // it has no instances and no lanes
	{"otf2", (*skewed.Trace).OTF2, otf2.Format, "", skewed.ArchiveZero, same, func(t *skewed.Trace) bool { return !t.Pods && !t.Internal && t.EveryNs > 8e6 }},
}

func same(name string) string  { return name }
func every(*skewed.Trace) bool { return true }
func oneFile(write func(*skewed.Trace) string) func(*skewed.Trace) map[string][]byte {
	return func(t *skewed.Trace) map[string][]byte { return map[string][]byte{"trace": []byte(write(t))} }
}

// ingestSkewed makes a run of a trace, and returns its clocks and what was said.
func ingestSkewed(t *testing.T, f *skewedFormat, run string, trace skewed.Trace) (bounds []schema.ClockBound, said []string) {
	t.Helper()
	return ingestClocks(t, f, "lake", run, trace, schema.ClocksAuto)
}

// ingestClocks does so into a lake, with what is to be done about clocks.
func ingestClocks(t *testing.T, f *skewedFormat, to, run string, trace skewed.Trace, mode string) (bounds []schema.ClockBound, said []string) {
	t.Helper()
	dir, path := filepath.Join("traces", f.name), ""
	for name, data := range f.write(&trace) {
		file := filepath.Join(dir, name)
		expect.OK(t, os.MkdirAll(filepath.Dir(file), 0o777))
		expect.OK(t, os.WriteFile(file, data, 0o666))
		if path == "" || strings.HasSuffix(name, ".otf2") {
			path = file
		}
	}
	l := expect.Value(lake.Open(to, true))(t)
	job := ingest.Job{
		Lake: l, Run: run, Paths: []string{path}, Incomplete: "complete", Untraced: "ignore", Callbacks: "auto", Jobs: 1, Memory: 64 << 20, Replace: true,
		Detect: func(string, []byte) (schema.Format, error) {
			format := f.format()
			format.Anchor = f.name == "otf2"
			return format, nil
		},
		Say: func(sentence string) { said = append(said, sentence) },
	}
	job.Options.Clocks = schema.Clocks{Mode: mode, Of: f.of}
	_, _, err := ingest.Run(t.Context(), job)
	expect.OK(t, err)
	if m := expect.Value(l.Manifest("clock_bounds", lake.Run(run)))(t); m != nil {
		bounds = expect.Value(lake.Read[schema.ClockBound](l, "clock_bounds", lake.Run(run)))(t)
	}
	return bounds, said
}

// answers is what the analysis of a run says that clocks must not change.
type answers struct {
	shares    map[string]float64 // of the critical paths towards requests, in points
	structure string             // messages by their patterns, and lifelines with their executions
}

func askSkewed(t *testing.T, name string) (a answers) {
	t.Helper()
	command := func(args ...string) string {
		var out, diagnostics bytes.Buffer
		if err := run(t.Context(), args, nil, &out, &diagnostics); err != nil {
			t.Fatal(args, err, diagnostics.String())
		}
		return out.String()
	}
	command("run", name, "--quiet")
	var document struct {
		Composition []struct {
			Category, Component string
			Function, Sender    *string
			TotalNs             float64 `json:"total_ns"`
		}
	}
	to := "front.GET"
	if strings.HasPrefix(name, "otf2") {
		to = "front-1.GET"
	}
	expect.OK(t, json.Unmarshal([]byte(command("critical-path", name, "--to", to, "--format", "json")), &document))
	whole := 0.0
	a.shares = make(map[string]float64)
	for _, c := range document.Composition {
		key := c.Category + " " + c.Component
		for _, part := range []*string{c.Function, c.Sender} {
			if part != nil {
				key += " " + *part
			}
		}
		a.shares[key] += c.TotalNs
		whole += c.TotalNs
	}
	for key := range a.shares {
		a.shares[key] *= 100 / whole
	}
	const structure = `SELECT string_agg(line, chr(10) ORDER BY line) AS lines FROM (
		SELECT concat_ws(' ', 'messages', label, pattern, count(*)) AS line FROM messages WHERE run = '%[1]s' GROUP BY label, pattern UNION ALL
		SELECT concat_ws(' ', 'lifeline', lifeline, function, count(*)) FROM executions WHERE run = '%[1]s' GROUP BY lifeline, function)`
	a.structure = command("query", fmt.Sprintf(structure, name), "--format", "json")
	return a
}

// formatsToPlay are the formats of skewed traces, of which -short leaves all but the first out.
func formatsToPlay() int {
	if testing.Short() {
		return 1
	}
	return len(skewedFormats)
}

// TestClocksApart sets clocks of services apart, by offsets and drift, with requests that overlap, with spans that do not say who calls,
// and with two instances of a service. What is read of it is what is read without: shares of critical paths within a point, messages,
// lifelines and patterns; the clocks are found to a microsecond and half a part in a million.
func TestClocksApart(t *testing.T) {
	if testing.Short() {
		t.Skip("clocks are set apart in full tests")
	}
	t.Chdir(t.TempDir())
	for i := range formatsToPlay() {
		f := &skewedFormats[i]
		for n, c := range clocksApart {
			if !f.fits(&c.trace) {
				continue
			}
			t.Run(f.name+" "+c.name, func(t *testing.T) {
				even := c.trace
				even.Clocks = nil
				name := fmt.Sprint(f.name, n)
				bounds, said := ingestSkewed(t, f, name+"even", even)
				if len(bounds)+len(said) > 0 {
					t.Fatalf("of clocks that agree it is said %q", said)
				}
				bounds, said = ingestSkewed(t, f, name+"apart", c.trace)
				if len(said) != 1 {
					t.Errorf("said %q", said)
				}
				checkBounds(t, f, &c.trace, bounds)
				if n > 0 && f.name != "otlp" { // events are the same whatever the format
					return
				}
				got, want := askSkewed(t, name+"apart"), askSkewed(t, name+"even")
				for key, share := range want.shares {
					if math.Abs(got.shares[key]-share) > 1 {
						t.Errorf("%s has %.2f %% of the critical paths, want %.2f %%", key, got.shares[key], share)
					}
				}
				expect.Equal(t, got.structure, want.structure, "messages and lifelines")
			})
		}
	}
}

// fingerprint is the part of a file's name that says by which options its table was made.
var fingerprint = regexp.MustCompile(`-[0-9a-f]{8}\.parquet$`)

// tablesOf returns the bytes of the tables of a lake, by their files.
func tablesOf(t *testing.T, dir string) map[string]string {
	t.Helper()
	tables := make(map[string]string)
	expect.OK(t, fs.WalkDir(os.DirFS(dir), ".", func(path string, e fs.DirEntry, err error) error {
		if name := fingerprint.ReplaceAllString(path, ""); err == nil && name != path {
			tables[name] = string(expect.Value(os.ReadFile(filepath.Join(dir, path)))(t))
		}
		return err
	}))
	return tables
}

// TestEvenClocksKeepBytes reads traces whose clocks agree as if nobody had ever looked at clocks, and looking: the tables are the same bytes.
// Of clocks that do not agree they are not.
func TestEvenClocksKeepBytes(t *testing.T) {
	if testing.Short() {
		t.Skip("traces of even clocks are read in full tests")
	}
	t.Chdir(t.TempDir())
	for i := range formatsToPlay() {
		f := &skewedFormats[i]
		for n, c := range clocksApart {
			if !f.fits(&c.trace) {
				continue
			}
			even := c.trace
			even.Clocks = nil
			for _, v := range []struct {
				trace skewed.Trace
				same  bool
			}{{even, true}, {c.trace, false}} {
				to := fmt.Sprint(f.name, n, v.same)
				ingestClocks(t, f, to+"keep", "r", v.trace, schema.ClocksKeep)
				ingestClocks(t, f, to+"auto", "r", v.trace, schema.ClocksAuto)
				keep, auto := tablesOf(t, to+"keep"), tablesOf(t, to+"auto")
				if len(keep) < 3 || maps.Equal(keep, auto) != v.same {
					var differ []string
					for name, data := range auto {
						if keep[name] != data {
							differ = append(differ, name)
						}
					}
					t.Errorf("%s, %s, clocks that agree: %v: %d files; these differ: %q", f.name, c.name, v.same, len(keep), differ)
				}
			}
		}
	}
}

// checkBounds compares the clocks that were found with those that were planted.
func checkBounds(t *testing.T, f *skewedFormat, trace *skewed.Trace, bounds []schema.ClockBound) {
	t.Helper()
	for _, b := range bounds {
		clock, reference := trace.Clocks[f.clock(b.Unit)], trace.Clocks[f.clock(b.Reference)]
		// The unit's clock shows b.OriginNs at the time t of the trace, when the reference shows so much more.
		at := int64(math.Round(float64(f.zeroNs+b.OriginNs-skewed.Epoch-clock.AheadNs) / (1 + clock.GainsPpm*1e-6)))
		want := reference.Shown(at) - clock.Shown(at)
		gains := (1+reference.GainsPpm*1e-6)/(1+clock.GainsPpm*1e-6) - 1
		if off := b.OffsetNs - want; off < -1000 || off > 1000 {
			t.Errorf("the clock of %s is off by %d ns", b.Unit, off)
		}
		if off := b.DriftPpm - gains*1e6; math.Abs(off) > 0.5 {
			t.Errorf("the drift of %s is off by %.2f ppm", b.Unit, off)
		}
	}
	for _, instance := range []string{"back-1", "back-2", "db-1"} {
		if trace.Clocks[instance] == (skewed.Clock{}) || f.of == "component" {
			continue
		}
		if !slices.ContainsFunc(bounds, func(b schema.ClockBound) bool { return f.clock(b.Unit) == instance || f.clock(b.Reference) == instance }) {
			t.Errorf("the clock of %s is not corrected: %+v", instance, bounds)
		}
	}
}

// TestStepOfAClock sets a clock while the trace is recorded: no line fits, which a sentence says, and all times are kept.
func TestStepOfAClock(t *testing.T) {
	t.Chdir(t.TempDir())
	trace := skewed.Trace{Requests: 100, EveryNs: 20e6, Clocks: map[string]skewed.Clock{"back-1": {StepAtNs: 1e9, StepNs: 3e6}}}
	for i := range formatsToPlay() {
		f := &skewedFormats[i]
		bounds, said := ingestSkewed(t, f, f.name, trace)
		if len(bounds) > 0 || len(said) != 2 || !strings.Contains(said[0], "fit no even clock") || !strings.Contains(said[0], "left as they are") {
			t.Errorf("%s: %d clocks are corrected, said %q", f.name, len(bounds), said)
		}
		if f.name == "jaeger" || f.name == "zipkin" { // the answers are those of otlp
			continue
		}
		var out bytes.Buffer
		expect.OK(t, run(t.Context(), []string{"run", f.name, "--quiet"}, nil, io.Discard, io.Discard))
		to := map[string]string{"otf2": "front-1.GET"}[f.name]
		if to == "" {
			to = "front.GET"
		}
		expect.OK(t, run(t.Context(), []string{"critical-path", f.name, "--to", to}, nil, &out, io.Discard))
		if !strings.Contains(out.String(), "Clocks of this run are apart: 100 messages were received before they were sent.") {
			t.Errorf("%s: nothing is said of clocks in\n%s", f.name, &out)
		}
	}
}
