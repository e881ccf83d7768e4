package plan

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/ingest"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/lake/testdata/laketest"
	"github.com/tracelake/tracelake/pipeline/process"
	"github.com/tracelake/tracelake/schema"
	readers "github.com/tracelake/tracelake/stages/ingest"
	"github.com/tracelake/tracelake/stages/ingest/text"
	"github.com/tracelake/tracelake/stages/timing/constraints"
	"github.com/tracelake/tracelake/testdata/expect"
)

// recordingsPerFolder is how many recordings of one folder, which are runs of one program, TestRecordingsSameBytes plays, and
// largestRecording the bytes of a file at most, as it lies. All of them are
//
//	TRACELAKE_RECORDINGS=FOLDER go test -count=1 -timeout 2h ./pipeline/plan -run TestRecordingsSameBytes -v -recordings 1000 -largest 1000000000
var (
	recordingsPerFolder = flag.Int("recordings", 2, "recordings of a folder that TestRecordingsSameBytes plays")
	largestRecording    = flag.Int64("largest", 200_000, "bytes of a file that it plays, at most")
)

// TestRecordingsSameBytes ingests and analyzes recordings of all formats, damaged ones included, with one job and with two, with 256 MiB,
// 1 GiB and 8 GiB, and texts in 1 to 64 pieces as well. All tables must have the bytes of one pass with two jobs and 8 GiB, and where one
// ends with an error, the others end with the same.
func TestRecordingsSameBytes(t *testing.T) {
	root := os.Getenv("TRACELAKE_RECORDINGS")
	if root == "" || testing.Short() {
		t.Skip("skipped: recordings are ingested and analyzed only where TRACELAKE_RECORDINGS names their folder, and not with -short")
	}
	var played played
	played.formats = make(map[string]int)
	t.Run("all", func(t *testing.T) {
		for i, path := range append(recordingsIn(t, root), recordingsIn(t, filepath.Join(root, "..", "third-party"))...) {
			t.Run(filepath.Base(path), func(t *testing.T) {
				t.Parallel()
				played.play(t, path, rand.New(rand.NewPCG(6, uint64(i))))
			})
		}
	})
	if len(played.formats) < 5 || played.pieces < 64 {
		t.Errorf("recordings of the formats %v only, in %d pieces", played.formats, played.pieces)
	}
	t.Logf("recordings by format: %v; %d that no reader takes; texts in %d pieces", played.formats, played.refused, played.pieces)
}

// recordingsIn lists files, and folders that are one trace, below a folder that need not be there. Of a folder of defects it has all, as
// each is another one.
func recordingsIn(t *testing.T, folder string) (paths []string) {
	t.Helper()
	find := ingest.FindAmong(readers.Formats(), ingest.AnyFormat)
	perFolder := make(map[string]int)
	add := func(path string) {
		parent := filepath.Dir(path)
		if perFolder[parent]++; perFolder[parent] <= *recordingsPerFolder || filepath.Base(parent) == "defects" {
			paths = append(paths, path)
		}
	}
	err := filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist) && path == folder:
			return nil
		case err != nil:
			return err
		case e.IsDir():
			found, err := find(os.DirFS(path))
			if err != nil || len(found) != 1 {
				return err
			}
			add(path)
			return fs.SkipDir
		}
		if info, err := e.Info(); err != nil || info.Size() > *largestRecording {
			return err
		}
		add(path)
		return nil
	})
	expect.OK(t, err)
	return paths
}

// played counts what was played.
type played struct {
	mu              sync.Mutex
	formats         map[string]int
	refused, pieces int
}

// note counts a recording and into how many pieces it was cut.
func (p *played) note(format string, pieces int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.pieces += pieces; format == "" {
		p.refused++
	} else {
		p.formats[format]++
	}
}

// play ingests and analyzes a recording in all ways.
func (p *played) play(t *testing.T, path string, random *rand.Rand) {
	t.Helper()
	size := int64(0)
	if info, err := os.Stat(path); err == nil && !info.IsDir() {
		if plain := unpackedRecording(t, path); plain != nil {
			path, size = writeTrace(t, "recording.txt", string(plain)), int64(len(plain))
		}
	}
	format, want, wantErr := recordingTables(t, path, 2, 8<<30, ingest.Cut{Bytes: -1})
	all := 0
	for _, with := range []struct {
		jobs   int
		memory int64
	}{{1, 256 << 20}, {2, 1 << 30}} {
		what := fmt.Sprintf("%d jobs and %d bytes", with.jobs, with.memory)
		var cut ingest.Cut
		if size > 0 {
			pieces := 1 + random.Int64N(64)
			all += int(pieces)
			cut = ingest.Cut{Bytes: max(1, (size+pieces-1)/pieces), Watch: 1 + random.Int64N(1<<16)}
			what += fmt.Sprintf(", %d pieces that watch %d bytes", pieces, cut.Watch)
		}
		_, got, err := recordingTables(t, path, with.jobs, with.memory, cut)
		expect.Equal(t, fmt.Sprint(err), fmt.Sprint(wantErr), "error with %s", what)
		laketest.CheckSame(t, what, got, want)
	}
	p.note(format, all)
}

// unpackedRecording is the content of a file, where that is a text of lines; else nil.
func unpackedRecording(t *testing.T, path string) []byte {
	t.Helper()
	f := expect.Value(os.Open(path))(t)
	defer f.Close()
	var in io.Reader = f
	switch filepath.Ext(path) {
	case ".gz":
		in = expect.Value(gzip.NewReader(f))(t)
	case ".zst":
		z := expect.Value(zstd.NewReader(f))(t)
		defer z.Close()
		in = z
	}
	plain := expect.Value(io.ReadAll(in))(t)
	if _, isText := text.Detect(plain); !isText {
		return nil
	}
	return plain
}

// recordingTables makes all tables of a recording in a lake of its own, and returns the checksums of its files.
func recordingTables(t *testing.T, path string, jobs int, memory int64, cut ingest.Cut) (format string, hashes map[string]string, err error) {
	t.Helper()
	dir := expect.Value(process.FolderIn(laketest.Memory(), "recording"))(t)
	defer process.RemoveFolder(dir)
	l := expect.Value(lake.Open(dir, true))(t)
	run, _, err := ingest.Run(t.Context(), ingest.Job{
		Lake: l, Run: "a", Paths: []string{path}, Incomplete: "complete", Untraced: "ignore", Format: "auto", Jobs: jobs, Memory: memory, Cut: cut,
		Detect: ingest.DetectAmong(readers.Formats(), ingest.AnyFormat, schema.ReadingOptions{}), Find: ingest.FindAmong(readers.Formats(), ingest.AnyFormat),
	})
	if err != nil {
		return "", laketest.Hashes(t, dir), err
	}
	stages := expect.Value(pipeline.Order(Stages(Options{Constraints: constraints.Defaults(), Gains: true}), Given...))(t)
	e := &pipeline.Engine{Lake: l, Stages: stages, Jobs: jobs, Memory: memory}
	_, err = e.Run(t.Context(), []lake.Partition{lake.Run("a")})
	return run.Format, laketest.Hashes(t, dir), err
}
