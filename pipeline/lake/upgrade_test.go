package lake_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/testdata/expect"
)

// downgrade makes a lake one of format 2, which had a manifest for each table of a partition.
func downgrade(t *testing.T, l *lake.Lake) {
	t.Helper()
	all, err := l.Inventories()
	noError(t, err)
	for _, v := range all {
		for _, m := range v.Tables {
			text, err := json.MarshalIndent(m, "", " ")
			noError(t, err)
			text = append([]byte("{\n \"partition\": \""+v.Partition+"\","), text[1:]...)
			write(t, filepath.Join(l.Dir, "_manifests", m.Table, v.Partition+".json"), string(text))
		}
		noError(t, os.Remove(filepath.Join(l.Dir, "_manifests", v.Partition+".json")))
	}
	write(t, filepath.Join(l.Dir, "_lake.json"), `{"format": 2}`)
}

// TestUpgrade brings a lake of format 2 to the present format, also when an earlier try was cut short: the tables are what
// they were.
func TestUpgrade(t *testing.T) {
	l := open(t, t.TempDir())
	commit(t, l, "kept")
	before, err := os.ReadFile(filepath.Join(l.Dir, "_manifests", "run=a.json"))
	noError(t, err)
	downgrade(t, l)
	_, err = lake.Open(l.Dir, false)
	fails(t, err, "has lake format 2", "analyze tidy")
	write(t, filepath.Join(l.Dir, "_manifests", "run=a.json"), "{}") // of a try that was cut short
	write(t, filepath.Join(l.Dir, "_lock"), "pid 1")
	for _, want := range []bool{true, false} {
		if did, err := lake.Upgrade(t.Context(), l.Dir); did != want || err != nil {
			t.Fatalf("upgraded %v, %v, want %v", did, err, want)
		}
	}
	l = again(t, l)
	after, err := os.ReadFile(filepath.Join(l.Dir, "_manifests", "run=a.json"))
	if err != nil || string(after) != string(before) {
		t.Errorf("the inventory is\n%s, %v, want\n%s", after, err, before)
	}
	if got := read(t, l, "runs"); got != "kept runs" {
		t.Errorf("runs hold %q", got)
	}
	for _, gone := range []string{"_manifests/events", "_lock"} {
		if _, err := os.Stat(filepath.Join(l.Dir, gone)); err == nil {
			t.Errorf("%s is left", gone)
		}
	}
}

// TestUpgradeSeals brings a lake of format 3, whose inventories have no checksums, to the present format: all of them are what
// this program writes, also the one that an earlier try has done.
func TestUpgradeSeals(t *testing.T) {
	l := open(t, t.TempDir())
	commit(t, l, "kept")
	noError(t, os.MkdirAll(filepath.Join(l.Dir, "_manifests"), 0o777))
	name := filepath.Join(l.Dir, "_manifests", "run=a.json")
	sealed := expect.Value(os.ReadFile(name))(t)
	var v lake.Inventory
	noError(t, lake.Unseal(sealed, &v))
	plain := append(expect.Value(json.MarshalIndent(v, "", " "))(t), '\n')
	for _, text := range [][]byte{plain, sealed} {
		write(t, name, string(text))
		write(t, filepath.Join(l.Dir, "_lake.json"), `{"format": 3}`)
		_, err := lake.Open(l.Dir, false)
		fails(t, err, "has lake format 3", "analyze tidy")
		did, err := lake.Upgrade(t.Context(), l.Dir)
		if !did || err != nil {
			t.Fatalf("upgraded %v, %v", did, err)
		}
		expect.Equal(t, string(expect.Value(os.ReadFile(name))(t)), string(sealed), "the inventory")
		expect.Equal(t, read(t, again(t, l), "runs"), "kept runs", "runs")
	}
	write(t, name, string(append(bytes.Clone(sealed), 'x')))
	write(t, filepath.Join(l.Dir, "_lake.json"), `{"format": 3}`)
	_, err := lake.Upgrade(t.Context(), l.Dir)
	fails(t, err, "run=a.json", "it is damaged")
}

// TestUpgradeMakesAnew brings a lake of format 4, whose files lack the column of their run, to the present format. Its tables stay, and
// none of them is taken for what this program would make; they are no damage.
func TestUpgradeMakesAnew(t *testing.T) {
	l := open(t, t.TempDir())
	p, origin := lake.Run("a"), lake.Origin{Stage: "intake", Version: 1}
	s := expect.Value(l.Stage("intake", p, origin.Fingerprint()))(t)
	before := origin.Manifest("numbers", []lake.File{expect.Value(lake.Write(s, "numbers", lake.NoBucket, []number{{1}}))(t)})
	before.Format, before.Fingerprint = 0, lake.FingerprintBefore5(&origin)
	before.Files[0] = s.Retag(before.Files[0], before.Fingerprint)
	noError(t, s.Commit(before))
	write(t, filepath.Join(l.Dir, "_lake.json"), `{"format": 4}`)
	_, err := lake.Open(l.Dir, false)
	fails(t, err, "has lake format 4", "analyze tidy")
	expect.Equal(t, expect.Value(lake.Upgrade(t.Context(), l.Dir))(t), true, "upgraded")
	l = again(t, l)
	v := expect.Value(l.Inventory(p))(t)
	expect.Equal(t, v.Fresh(origin.Fingerprint(), "numbers"), false, "a table without the column is up to date")
	expect.Equal(t, len(expect.Value(lake.Read[number](l, "numbers", p))(t)), 1, "rows")
	expect.Equal(t, len(expect.Value(l.Verify(t.Context(), nil, nil))(t).Damages), 0, "damages")
}

// TestUnknownField refuses an inventory that says what this program does not know, though its checksum is right.
func TestUnknownField(t *testing.T) {
	text := expect.Value(lake.Seal(map[string]any{"partition": "run=a", "tables": nil, "deleted_rows": 7}))(t)
	fails(t, lake.Unseal(text, new(lake.Inventory)), `unknown field "deleted_rows"`)
}
