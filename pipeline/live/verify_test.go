package live

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/stages/timing/hotness"
	"github.com/tracelake/tracelake/testdata/expect"
)

// TestVerify flips every byte of a recording and of its view: each is named with its file. What is torn at an end is no
// damage.
func TestVerify(t *testing.T) {
	l, err := lake.Open(t.TempDir(), true)
	expect.OK(t, err)
	r := expect.Value(Open(l, "a", "trace.txt"))(t)
	v := expect.Value(NewView(Folder(l, "a")))(t)
	for i := range 8 {
		expect.OK(t, r.Append(fmt.Appendf(nil, "line %d\n", i), time.Unix(int64(i), 0)))
		row := hotness.Row{TimeNs: int64(i) * secondNs / 2, Kind: []hotness.Kind{hotness.Enter, hotness.Exit}[i%2]}
		row.Lane, _ = v.Lane(0, "lane")
		row.Key, _ = v.Key("component", "f")
		v.Add(row)
		expect.OK(t, v.Flush(time.Now()))
	}
	expect.OK(t, v.Close())
	expect.OK(t, r.Close())
	for _, name := range []string{beginsName, BegunName} {
		expect.OK(t, os.WriteFile(filepath.Join(Folder(l, "a"), name), []byte("0\n"), 0o666))
	}

	verify := func() *lake.Verification {
		found := new(lake.Verification)
		expect.OK(t, Verify(t.Context(), l, nil, found, nil))
		return found
	}
	sound := verify()
	expect.Equal(t, len(sound.Damages), 0, "damages of a sound recording: %v", sound.Damages)
	expect.Equal(t, sound.Files, 5, "files")
	for _, name := range []string{"trace.txt", blocksName, viewName + "/" + namesName, viewName + "/" + callsName, viewName + "/" + secondsName} {
		path := filepath.Join(Folder(l, "a"), name)
		text := expect.Value(os.ReadFile(path))(t)
		missed := 0
		for at := range text {
			for _, bit := range []int{0, 7} {
				text[at] ^= 1 << bit
				expect.OK(t, os.WriteFile(path, text, 0o666))
				found := verify()
				if len(found.Damages) == 0 {
					missed++
				}
				for _, d := range found.Damages {
					if d.Partition != "run=a" || !strings.HasPrefix(d.File, "_live/run=a/") || name != blocksName && d.File != "_live/run=a/"+name {
						t.Errorf("%s, byte %d: %+v", name, at, d)
					}
				}
				text[at] ^= 1 << bit
			}
		}
		expect.Equal(t, missed, 0, "flipped bits of %s that are not named", name)
		// Torn: a part of what comes next has been written.
		expect.OK(t, os.WriteFile(path, append(text, 9, 9, 9), 0o666))
		expect.Equal(t, len(verify().Damages), 0, "damages where the end of %s is torn", name)
		expect.OK(t, os.WriteFile(path, text, 0o666))
	}
	for name, want := range map[string]lake.Damage{
		"trace.txt": {Partition: "run=a", File: "_live/run=a", Problem: "its trace is missing"},
		blocksName:  {Partition: "run=a", File: "_live/run=a/" + blocksName, Problem: "it is missing"},
	} {
		path := filepath.Join(Folder(l, "a"), name)
		expect.OK(t, os.Rename(path, filepath.Join(l.Dir, "away")))
		expect.Deep(t, verify().Damages, []lake.Damage{want}, "damages without %s", name)
		expect.OK(t, os.Rename(filepath.Join(l.Dir, "away"), path))
	}
	others := new(lake.Verification)
	expect.OK(t, Verify(t.Context(), l, func(p lake.Partition) bool { return p.Name == "b" }, others, nil))
	expect.Equal(t, others.Files, 0, "files of what is not wanted")
}
