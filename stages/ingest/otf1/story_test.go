package otf1

import (
	"bytes"
	"testing"
	"testing/fstest"

	"golang.org/x/tools/txtar"

	"github.com/tracelake/tracelake/stages/chart/testdata/storytest"
)

// TestStories reads every small trace of testdata and compares events and losses with those wanted.
func TestStories(t *testing.T) {
	storytest.Play(t, -1, func(t *testing.T, files []txtar.File, _ string) string {
		return read(unpack(files), "t.otf").String()
	})
}

// unpack gives the files of a trace, of which a "~" at the end goes with the line end behind it.
func unpack(files []txtar.File) fstest.MapFS {
	fsys := make(fstest.MapFS)
	for _, f := range files {
		data := f.Data
		if cut, ok := bytes.CutSuffix(data, []byte("~\n")); ok {
			data = cut
		}
		fsys[f.Name] = &fstest.MapFile{Data: data}
	}
	return fsys
}
