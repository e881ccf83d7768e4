package ingest_test

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/tracelake/tracelake/pipeline/ingest"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/lake/testdata/laketest"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/text"
)

// sameInPieces ingests a trace in one pass and in pieces, and sees that the lakes have the same bytes, and that nothing is
// left of the work. It returns whether the trace can be cut.
func sameInPieces(t *testing.T, j ingest.Job, pieces, watch int64) {
	t.Helper()
	whole := j
	whole.Lake, whole.Cut = emptyLake(t), ingest.Cut{Bytes: -1}
	_, wantLosses, wantErr := ingest.Run(t.Context(), whole)
	var size int64
	for _, path := range j.Paths {
		info, err := os.Stat(path)
		noError(t, err)
		size += info.Size()
	}
	j.Memory = 1 << 30 // pieces at the same time
	j.Lake, j.Cut = emptyLake(t), ingest.Cut{Bytes: max(1, (size+pieces-1)/pieces), Watch: watch}
	_, losses, err := ingest.Run(t.Context(), j)
	what := fmt.Sprintf("%v in %d pieces that watch %d bytes, %s, %s", j.Paths, pieces, watch, j.Incomplete, j.Untraced)
	if fmt.Sprint(err) != fmt.Sprint(wantErr) {
		t.Fatalf("%s: error %v, want %v", what, err, wantErr)
	}
	if fmt.Sprint(losses) != fmt.Sprint(wantLosses) {
		t.Errorf("%s: losses\n%s\nwant\n%s", what, short(losses), short(wantLosses))
	}
	if err == nil {
		laketest.CheckSame(t, what, laketest.Hashes(t, j.Lake.Dir), laketest.Hashes(t, whole.Lake.Dir))
	}
	if left, _ := filepath.Glob(filepath.Join(j.Lake.Dir, "_work", "*", "*")); len(left) > 0 {
		t.Errorf("%s: %v is left", what, left)
	}
	byTasks := j
	byTasks.Lake = emptyLake(t)
	times := 2
	if size > mib/4 { // what a task leaves when it is done again does not depend on the length of a trace
		times = 1
	}
	losses, err = ingestByTasks(t, byTasks, times)
	what += ", each task by itself"
	if err != nil && wantErr != nil { // in front of it stands the task
		return
	}
	noError(t, err)
	if fmt.Sprint(losses) != fmt.Sprint(wantLosses) {
		t.Errorf("%s: losses\n%s\nwant\n%s", what, short(losses), short(wantLosses))
	}
	laketest.CheckSame(t, what, laketest.Hashes(t, byTasks.Lake.Dir), laketest.Hashes(t, whole.Lake.Dir))
}

// ingestByTasks publishes an ingest and does each of its tasks some times, in any order within a phase and in a process of its own as far as
// that knows: with a job of which it has nothing but the plan.
func ingestByTasks(t *testing.T, j ingest.Job, times int) ([]schema.Loss, error) {
	t.Helper()
	_, published, err := ingest.Publish(t.Context(), j)
	if err != nil {
		return nil, err
	}
	find := func() *ingest.Tasks {
		l, err := lake.Open(j.Lake.Dir, false)
		noError(t, err)
		tasks, err := ingest.FindTasks(t.Context(), l, j.Run, func(of *ingest.Job) error {
			of.Detect, of.Find, of.Map, of.Jobs, of.Memory = j.Detect, j.Find, j.Map, j.Jobs, j.Memory
			return nil
		})
		noError(t, err)
		return tasks
	}
	if last := published.Phases[len(published.Phases)-1]; len(published.Phases) > 1 {
		if err := find().Run(t.Context(), last[0]); err == nil {
			t.Errorf("task %d is done before those that it follows", last[0])
		}
	}
	for _, phase := range published.Phases {
		for range times {
			for _, i := range rand.Perm(len(phase)) {
				if err := find().Run(t.Context(), phase[i]); err != nil {
					return nil, err
				}
			}
		}
		undone, err := find().Undone(lake.Run(j.Run), ingest.StageName, phase)
		noError(t, err)
		if len(undone) > 0 {
			t.Errorf("tasks %v are not done", undone)
		}
	}
	_, losses, err := find().Commit(t.Context())
	return losses, err
}

func emptyLake(t *testing.T) *lake.Lake {
	t.Helper()
	l, err := lake.Open(filepath.Join(t.TempDir(), "lake"), true)
	noError(t, err)
	return l
}

// damaged is a random text of calls and messages between components, some of which it lacks, doubles or tears.
func damaged(rng *rand.Rand, lines int) string {
	var text strings.Builder
	var open []string
	var sent []int
	now := 0
	for i := range lines {
		now += rng.Intn(3)
		at := fmt.Sprintf("%d.%09d", now/1000, now%1000*1000000)
		component, function := fmt.Sprintf("c\xff%d", rng.Intn(5)), fmt.Sprintf("f%d", rng.Intn(3))
		message := ""
		switch n := rng.Intn(20); {
		case n < 6:
			message = fmt.Sprintf(" !m%d", i)
			sent = append(sent, i)
		case n < 12 && len(sent) > 0:
			k := rng.Intn(len(sent))
			message = fmt.Sprintf(" ?m%d", sent[k])
			sent = append(sent[:k], sent[k+1:]...)
		case n == 12:
			message = fmt.Sprintf(" ?m%d", rng.Intn(lines))
		case n == 13:
			message = fmt.Sprintf(" !m%d", rng.Intn(lines))
		}
		if rng.Intn(2) == 0 && len(open) > 0 {
			k := max(0, len(open)-1-rng.Intn(3))
			fmt.Fprintf(&text, "%s %s%s\n", at, open[k], message)
			open = append(open[:k], open[k+1:]...)
			continue
		}
		switch rng.Intn(60) {
		case 0:
			text.WriteString("no line of this format\n")
		case 1:
			fmt.Fprintf(&text, "99999999999999999999.0 %s > f\n", component)
		case 2:
			component = fmt.Sprint("late", i) // a component that the beginning does not show
		case 3:
			fmt.Fprintf(&text, "%s %s < %s%s\n", at, component, function, message)
			continue
		}
		fmt.Fprintf(&text, "%s %s > %s%s\n", at, component, function, message)
		open = append(open, component+" < "+function)
	}
	if rng.Intn(2) == 0 {
		text.WriteString("0.1 torn")
	}
	return text.String()
}

// TestPieces sees that an ingest in pieces leaves the bytes of one pass, for any number of them, whatever is wrong with the
// trace, in one file and in several.
func TestPieces(t *testing.T) {
	rng := rand.New(rand.NewSource(5))
	rounds := 40
	if testing.Short() {
		rounds = 8
	}
	for i := range rounds {
		paths := []string{write(t, "a.txt", damaged(rng, rng.Intn(400)))}
		if i%4 == 0 {
			paths = append(paths, write(t, "b.txt", damaged(rng, 100)))
		}
		j := job(t, paths...)
		j.Incomplete, j.Untraced = []string{"complete", "discard"}[i%2], []string{"ignore", "insert"}[i/2%2]
		sameInPieces(t, j, 1+rng.Int63n(64), 1+rng.Int63n(3000))
	}
}

// TestPiecesOfUntraced does so with messages of which every other one is sent to nobody: placeholders have a bucket of their own, which is a task of
// its own. Random traces seldom show it, since most of them have a message that is received before it is sent, and are read as a whole.
func TestPiecesOfUntraced(t *testing.T) {
	var text strings.Builder
	for i := range 60 {
		fmt.Fprintf(&text, "%d c%d > f !m%d\n%d c%d < f\n", 4*i, i%3, i, 4*i+1, i%3)
		if i%2 == 0 {
			fmt.Fprintf(&text, "%d d > g ?m%d\n%d d < g\n", 4*i+2, i, 4*i+3)
		}
	}
	j := job(t, write(t, "t.txt", text.String()))
	j.Untraced = "insert"
	sameInPieces(t, j, 7, 300)
	j.Lake, j.Cut = emptyLake(t), ingest.Cut{Bytes: int64(text.Len() / 7), Watch: 300}
	_, err := ingestByTasks(t, j, 2)
	noError(t, err)
	m, err := j.Lake.Manifest("events", lake.Run(j.Run))
	noError(t, err)
	rows := make(map[int]int64)
	for _, f := range m.Files {
		rows[f.Bucket] += f.Rows
	}
	if last := slices.Max(slices.Collect(maps.Keys(rows))); last != 1 || rows[last] != 60 {
		t.Errorf("rows of buckets: %v, want 60 of placeholders in the second one: 30 messages are sent to nobody", rows)
	}
}

// TestHashOfSlices checks that slices as long as blocks of the hash make it themselves, header included.
func TestHashOfSlices(t *testing.T) {
	for name, text := range map[string]string{"trace.txt": small, "trace.csv": "time,component,event,function\n1,A,>,f\n2,A,<,f\n"} {
		whole, sliced := job(t, write(t, name, text)), job(t)
		sliced.Paths, sliced.Memory, sliced.Cut = whole.Paths, 1<<30, ingest.Cut{Bytes: 64 << 20}
		for _, j := range []ingest.Job{whole, sliced} {
			_, _, err := ingest.Run(t.Context(), j)
			noError(t, err)
		}
		laketest.CheckSame(t, name, laketest.Hashes(t, sliced.Lake.Dir), laketest.Hashes(t, whole.Lake.Dir))
	}
}

// TestLongPieces does so with a trace of many row groups, of which some peers come late, and with one that has a line longer
// than a piece that is parsed at a time.
func TestLongPieces(t *testing.T) {
	var late strings.Builder
	late.WriteString("1 open > f\n2 a > f !m1\n3 a < f\n")
	for i := range 100_000 {
		fmt.Fprintf(&late, "%d a > g\n%d a < g\n", 2*i+4, 2*i+5)
	}
	late.WriteString("200004 b > f ?m1\n200004 b < f\n")
	long := small + strings.Repeat("x", 2*mib) + "\n" + small + "\n0.9 torn"
	for _, trace := range []string{late.String(), long} {
		for _, incomplete := range []string{"complete", "discard"} {
			j := job(t, write(t, "t.txt", trace))
			j.Incomplete = incomplete
			sameInPieces(t, j, 5, 0)
		}
	}
}

// TestPiecesOfTables does so with tables, which have a header, and calls in two files.
func TestPiecesOfTables(t *testing.T) {
	const header = "time,component,function,kind\n"
	var rows [2]strings.Builder
	for i := range 600 {
		fmt.Fprintf(&rows[i/300], "%d.5,c%d,f,start\n%d.6,c%d,f,finish\n", i, i%3, i, i%3)
	}
	sameInPieces(t, job(t, write(t, "a.csv", header+rows[0].String()), write(t, "b.csv", header+rows[1].String())), 9, 200)
}

// TestLateComponents does so where components come of which the beginning, that places components in buckets, shows nothing.
func TestLateComponents(t *testing.T) {
	if testing.Short() {
		t.Skip("70,000 calls with long names are read in full tests")
	}
	var text strings.Builder
	name := strings.Repeat("f", 1000)
	for i := range 70_000 { // 67 MiB
		fmt.Fprintf(&text, "%d c%d > %s\n", i, i%20, name)
		if i%2 == 1 {
			fmt.Fprintf(&text, "%[1]d c%[2]d < %[4]s\n%[1]d c%[3]d < %[4]s\n", i, i%20, (i-1)%20, name)
		}
	}
	for i := range 400 {
		fmt.Fprintf(&text, "%d d%d > f !m%d\n%d e%d > g ?m%d\n", 70_000+i, i%40, i, 70_000+i, i%30, i)
		fmt.Fprintf(&text, "%d d%d < f\n%d e%d < g\n", 70_000+i, i%40, 70_000+i, i%30)
	}
	sameInPieces(t, job(t, write(t, "t.txt", text.String())), 10, 100_000)
}

// TestSpreadPieces does so where a component has most of the events, on lifelines of which the beginning shows some: they are
// spread over buckets, each of which has lifelines of that component only.
func TestSpreadPieces(t *testing.T) {
	if testing.Short() {
		t.Skip("35,000 calls with long names are read in full tests")
	}
	var text strings.Builder
	name := strings.Repeat("f", 1000)
	for i := range 35_000 { // 68 MiB
		executor, component := i%20, "big"
		if i%20 > 15 {
			component = fmt.Sprint("small", i%4)
		}
		fmt.Fprintf(&text, "0.%09[1]d e%[2]d %[3]s > %[4]s\n0.%09[1]d e%[2]d %[3]s < %[4]s\n", i, executor, component, name)
	}
	for i := range 400 {
		fmt.Fprintf(&text, "0.%09d e%d big > f !m%d\n0.%09d e%d new%d > g ?m%d\n", 70_000+i, 10+i%40, i, 70_000+i, i%30, i%3, i)
		fmt.Fprintf(&text, "0.%09d e%d big < f\n0.%09d e%d new%d < g\n", 70_000+i, 10+i%40, 70_000+i, i%30, i%3)
	}
	j := job(t, write(t, "t.tmsctrace", text.String()))
	j.Detect = tmsctrace
	sameInPieces(t, j, 10, 100_000)
	j.Lake = emptyLake(t)
	ingested(t, j)
	m, err := j.Lake.Manifest("events", lake.Run(j.Run))
	noError(t, err)
	if len(m.Groups) != 1 || len(m.Groups[0]) < 10 {
		t.Fatalf("buckets with lifelines of the same components: %v", m.Groups)
	}
	at := make(map[string]int)
	for _, f := range m.Files {
		ev := schema.NewEvents()
		noError(t, j.Lake.Scan(t.Context(), []lake.File{f}, ev, lake.ScanOptions{Columns: []string{"component", "lifeline"}}, func() error {
			for i, l := range ev.Lifeline {
				lifeline := ev.Names.Lifelines.Name(l)
				if bucket, known := at[lifeline]; known && bucket != f.Bucket {
					return fmt.Errorf("lifeline %s is in the buckets %d and %d", lifeline, bucket, f.Bucket)
				}
				at[lifeline] = f.Bucket
				if big := ev.Names.Components.Name(ev.Component[i]) == "big"; big != slices.Contains(m.Groups[0], f.Bucket) {
					return fmt.Errorf("lifeline %s is in bucket %d", lifeline, f.Bucket)
				}
			}
			return nil
		}))
	}
}

// tmsctrace takes everything for a trace of PPS.
func tmsctrace(string, []byte) (schema.Format, error) { return text.Tmsctrace(), nil }

// TestResumed interrupts an ingest in pieces again and again. Each attempt goes on behind the tasks that are recorded, and in
// the end the lake is the one of an ingest that nobody interrupted.
func TestResumed(t *testing.T) {
	j := job(t, write(t, "t.txt", long(60_000)))
	j.Cut = ingest.Cut{Bytes: 64 << 10}
	want := j
	want.Lake = emptyLake(t)
	ingested(t, want)
	attempts, records := 0, 0
	// The time grows by a third from attempt to attempt, so that all of them together take a few times what one takes on a slow machine.
	for patience := 3 * time.Millisecond; ; patience += patience / 3 {
		ctx, stop := context.WithTimeout(t.Context(), patience)
		_, _, err := ingest.Run(ctx, j)
		stop()
		if err == nil {
			break
		}
		attempts++
		left, _ := filepath.Glob(filepath.Join(j.Lake.Dir, "_work", "run=a", "*", "done-*.json"))
		if len(left) < records {
			t.Fatalf("attempt %d: %d tasks are recorded, before it %d: %v", attempts, len(left), records, err)
		}
		records = len(left)
	}
	if attempts == 0 || records == 0 {
		t.Errorf("%d attempts were interrupted, with %d records: the test shows nothing", attempts, records)
	}
	if bytesOf(t, j.Lake) != bytesOf(t, want.Lake) {
		t.Error("other bytes after interruptions")
	}
}

// unpacked is the text of a file.
func unpacked(t *testing.T, path string) []byte {
	t.Helper()
	f, err := os.Open(path)
	noError(t, err)
	defer f.Close()
	var in io.Reader = f
	switch filepath.Ext(path) {
	case ".gz":
		in, err = gzip.NewReader(f)
		noError(t, err)
	case ".zst":
		z, err := zstd.NewReader(f)
		noError(t, err)
		defer z.Close()
		in = z
	}
	all, err := io.ReadAll(in)
	noError(t, err)
	return all
}

// raced says that the tests run under the race detector, which makes them ten times as slow.
var raced bool

// TestRecordingsInPieces does with recorded texts what TestPieces does with random ones. Texts whose names differ by digits alone are runs of
// one program under one condition, which are alike, so that one of them is read; TestRecordingsSameBytes of package plan reads more. Long ones
// repeat the same for hundreds of downloads: of the longest as much is read as an ingest places components in several buckets for, and some more,
// and of others some dozens of downloads. Under the race detector, which looks for what goroutines share and not for what texts hold, it does so
// with every fourth of these that is not long.
func TestRecordingsInPieces(t *testing.T) {
	folder := os.Getenv("TRACELAKE_RECORDINGS")
	if folder == "" {
		t.Skip("skipped: recordings are ingested in pieces only where TRACELAKE_RECORDINGS names their folder")
	}
	rng, cut, read := rand.New(rand.NewSource(6)), 0, map[string]bool{}
	err := filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.Contains(e.Name(), ".txt") {
			return err
		}
		kind := filepath.Join(filepath.Dir(path), strings.Trim(e.Name(), "0123456789"))
		if read[kind] {
			return nil
		}
		plain := unpacked(t, path)
		if _, isText := text.Detect(plain); !isText {
			return nil
		}
		read[kind] = true
		if cut++; raced && (cut%4 != 0 || len(plain) > 4*mib) {
			return nil
		}
		enough := 16 * mib
		if len(plain) > 72*mib {
			enough = 72 * mib
		}
		j := job(t, write(t, "t.txt", string(plain[:min(len(plain), enough)])))
		j.Incomplete, j.Untraced = []string{"complete", "discard"}[rng.Intn(2)], []string{"ignore", "insert"}[rng.Intn(2)]
		sameInPieces(t, j, 1+rng.Int63n(16), 1+rng.Int63n(1<<16))
		return nil
	})
	noError(t, err)
	if cut == 0 {
		t.Errorf("%s has no texts", folder)
	}
}
