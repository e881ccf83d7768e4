package crashtest

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// TestVerifyLooksAtEveryTable flips bytes in every file of a lake that has every table there is: at its ends, and spread over it. Each is damage
// of that file, or of the partition whose inventory it is. TestVerifyFindsEveryByte of package lake flips every byte of a smaller one.
func TestVerifyLooksAtEveryTable(t *testing.T) {
	t.Parallel()
	made, given := commandsLake(t)
	base := copyLake(t, made)
	claims := expect.Value(txtar.ParseFile("../claims/testdata/pipeline.txtar"))(t).Files
	for n, file := range claims[:2] { // a trace with claims, and its sister
		path := filepath.Join(t.TempDir(), file.Name)
		expect.OK(t, os.WriteFile(path, file.Data, 0o666))
		must(t, base, "ingest", "--quiet", "--run", fmt.Sprint("e", n), path)
	}
	for name, text := range map[string]string{
		"signals.etf": "TU SECONDS\nR 0 7 false;name=memory\nC 0 0 4 0 3;name=A\nS 0;name=depth\nF 0 0 4 1 0 0\n",
		"linked.json": `{"resourceSpans":[` + span(1, "") + "," + span(2, `{"traceId":"00000000000000000000000000000001","spanId":"0000000000000001"}`) + `]}`,
	} {
		path := filepath.Join(t.TempDir(), name)
		expect.OK(t, os.WriteFile(path, []byte(text), 0o666))
		must(t, base, "ingest", "--quiet", "--run", strings.TrimSuffix(name, filepath.Ext(name)), path)
	}
	for _, args := range [][]string{
		{"run"}, {"run", "--components", "r0"}, {"run", "--stage", "signals"}, {"run", "--stage", "critical_steps", "r0"},
		{"check", "release=1", "--spec", "SPEC", "--intervals"},
		{"compare", "--base", "release=1", "--cand", "release=2"}, {"history"}, {"levels", "r0", "r4"}, {"what-if", "r0"},
		{"reconcile", "rig", "a=r0", "b=r1"}, {"transform", "r0", "--spec", "CLAIMS", "--run", "made"},
		{"critical-path", "e0", "--graph", "claims"}, {"distance", "e0", "e1"}, {"behaviours", "e0", "--by", "name", "--item", "id"},
	} {
		c, stderr := program(base, append([]string{"analyze"}, replaced(args, given)...)...)
		if err := c.Run(); err != nil && exitCode(t, err) != 3 {
			t.Fatalf("%q: %v\n%s", args, err, stderr)
		}
	}
	l := expect.Value(lake.Open(base, false))(t)
	sound := expect.Value(l.Verify(t.Context(), nil, nil))(t)
	expect.Equal(t, len(sound.Damages), 0, "damages of a sound lake")
	tables := make(map[string]bool)
	expect.OK(t, filepath.WalkDir(base, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		name := filepath.ToSlash(expect.Value(filepath.Rel(base, path))(t))
		table, rest, _ := strings.Cut(name, "/")
		if rest == "" || table == "_work" || table == "_measured" || table == "_leases" {
			return nil // no part of what a lake says
		}
		tables[table] = true
		flip(t, l, path, name)
		return nil
	}))
	for _, table := range schema.Tables() {
		if !tables[table.Name] {
			t.Errorf("the lake has no table %s; it has %q", table.Name, slices.Sorted(maps.Keys(tables)))
		}
	}
}

// span is a span in OTLP, of a service and a trace of its own, with its links.
func span(n int, links string) string {
	return fmt.Sprintf(`{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"s%d"}}]},"scopeSpans":[{"spans":[{"links":[%s],
		"traceId":"%032x","spanId":"%016x","name":"f","startTimeUnixNano":"%d","endTimeUnixNano":"%d"}]}]}`, n, links, n, n, 1000*n, 1000*n+500)
}

// flip flips bytes of a file, one after the other, and looks for the damage in its partition.
func flip(t *testing.T, l *lake.Lake, path, name string) {
	t.Helper()
	text := expect.Value(os.ReadFile(path))(t)
	_, partition, _ := strings.Cut(name, "/")
	partition, _, _ = strings.Cut(partition, "/")
	partition = strings.TrimSuffix(partition, ".json")
	wanted := func(p lake.Partition) bool { return p.String() == partition }
	for i := 0; i < len(text); i += max(len(text)/5, 1) {
		flipped := slices.Clone(text)
		flipped[i] ^= 1 << (i % 8)
		expect.OK(t, os.WriteFile(path, flipped, 0o666))
		v, err := l.Verify(t.Context(), wanted, nil)
		if err != nil || !slices.ContainsFunc(v.Damages, func(d lake.Damage) bool { return d.File == name }) {
			t.Errorf("%s: byte %d is flipped, and verify finds %v, %v", name, i, v, err)
		}
	}
	expect.OK(t, os.WriteFile(path, text, 0o666))
}
