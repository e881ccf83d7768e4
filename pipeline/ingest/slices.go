package ingest

import (
	"bytes"
	"context"
	"encoding/gob"
	"io"
	"os"
	"strconv"

	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/chart/wellformed"
)

// A long trace of lines is ingested in slices, tasks of their own that are recorded when they are done (package wellformed
// says why what comes out is that of one pass):
//
//	place     the beginning of the trace -> the buckets of its components
//	slice n   some bytes -> rows and messages of every bucket, in a file; what is open at both ends
//	join      the ends of the slices, in order: numbers and codes of the whole trace; a slice that supposed
//	          what is not so is woven again
//	bucket n  the slices' rows and messages of a bucket -> its Parquet files
//
// Slices and buckets are done on all cores; the join reads only what is open between slices. Where the process is killed
// the next one goes on behind the tasks that are recorded.

// Cut says how a trace of lines is cut into slices. It does not change what comes out.
type Cut struct {
	Bytes int64 // of the trace in a slice; 0 is a measure of ours, for traces that are long beside it; below 0 never cuts
	Watch int64 // bytes before a slice that it looks at to learn what is open; 0 is a measure of ours
}

const (
	// sliceBytes is the length of a slice: its rows take about as much memory again.
	sliceBytes = 64 << 20
	// A trace is cut into slices from slicedBytes on where more than slicedJobs cores weave them or onePassMemory is not
	// there, and from resumedBytes on in any case. A shorter one is cheaper in one pass: slices write their rows and read them
	// again, which costs 40 % more on one core and pays where the weaving of one pass is what all others wait for, or where
	// minutes would be lost with a process that is killed.
	slicedBytes   = 512 << 20
	resumedBytes  = 4 << 30
	slicedJobs    = 2
	onePassMemory = 512 << 20
	// watchBytes is what a slice watches: nearly all calls and messages of recorded traces are shorter.
	watchBytes = 1 << 20
	// sliceMemory is about what a slice takes while it is woven and written, for each of its bytes.
	sliceMemory = 3
)

// slicing is an ingest in slices under way.
type slicing struct {
	*intake
	cut     Cut
	files   []textFile
	slices  []textRange
	headers int64                         // lines of headers
	buckets int                           // of traced components
	sinks   *freeList[*segments]          // memory that slices use one after the other
	union   *wellformed.Union             // the codes of all slices
	woven   []wovenSlice                  // in order; the last one is what the end of the trace adds
	late    [][]wellformed.Patch          // by bucket; see latePatches
	tail    *wellformed.Outcome           // what only the end of the trace shows
	strays  map[wellformed.MessageID]bool // received without a send before
	endSeq  int64                         // the first sequence number behind the trace
}

// textFile is a file of the trace.
type textFile struct {
	path           string
	size, modified int64 // bytes; nanoseconds of the clock of the file system
	header         int64 // bytes
	headerLines    int64
}

// textRange is the lines that begin in some bytes of a file.
type textRange struct {
	file     int
	from, to int64
}

// slice prepares an ingest in slices. It returns nil where the trace is to be read in one pass: from a pipe, compressed,
// by a Reader, short, with --reorder, or with --strict, which ends at the first bad line; and where anything is wrong with it, so that the
// one pass says so.
func (in *intake) slice() *slicing {
	s := &slicing{intake: in, cut: in.Cut}
	if in.Strict || in.ReorderNs > 0 || in.Calls == "messages" || in.Options.Clocks.Of != "" || len(in.Options.Clocks.AheadNs) > 0 || in.Cut.Bytes < 0 || !s.find() {
		return nil
	}
	var total int64
	for _, f := range s.files {
		total += f.size
	}
	in.bytes = total // as traceBytes has it of plain files
	if s.cut.Bytes == 0 {
		if s.cut.Bytes = sliceBytes; total < slicedBytes || total < resumedBytes && s.Jobs <= slicedJobs && 4*s.Memory >= onePassMemory {
			return nil
		}
	}
	if s.cut.Watch == 0 {
		s.cut.Watch = watchBytes
	}
	for i, f := range s.files {
		for from, to := f.header, int64(0); from < f.size; from = to {
			to = min(from-from%s.cut.Bytes+s.cut.Bytes, f.size)
			s.slices = append(s.slices, textRange{i, from, to})
		}
	}
	return s
}

// find opens the files of the trace and sees whether they are plain text of one format and header.
func (s *slicing) find() bool {
	for _, path := range s.Paths {
		info, err := os.Stat(path)
		if path == "-" || err != nil || !info.Mode().IsRegular() {
			return false
		}
		head, packed, err := plainHead(path)
		if err != nil || packed || isTar(head) {
			return false
		}
		format, err := s.Detect(path, head)
		if err != nil || format.NewReader != nil || format.Whole || format.CheckComponent(s.Options.Component) != nil {
			return false
		}
		header := string(head[:format.Header])
		if len(s.files) == 0 {
			s.format, s.header = format, header
		} else if format.Name != s.format.Name || header != s.header {
			return false
		}
		f := textFile{path, info.Size(), info.ModTime().UnixNano(), int64(format.Header), int64(bytes.Count(head[:format.Header], []byte{'\n'}))}
		s.files = append(s.files, f)
		s.headers += f.headerLines
	}
	return len(s.files) > 0
}

// plainHead is the beginning of a file, and whether the file is compressed.
func plainHead(path string) (head []byte, packed bool, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, false, err
	}
	defer f.Close()
	if head, err = readHead(f, headBytes); err != nil {
		return nil, false, err
	}
	text, err := Decompress(bytes.NewReader(head))
	if err != nil {
		return nil, true, err
	}
	again, err := io.ReadAll(text)
	return head, err != nil || !bytes.Equal(again, head), nil
}

// fingerprint names the work in the staging area.
func (s *slicing) fingerprint() string {
	var inputs []lake.Input
	for _, f := range s.files {
		inputs = append(inputs, inputOf(f.path, f.size, f.modified))
	}
	return s.workOf(s.cut, inputs)
}

// inputOf is a file as it is now.
func inputOf(path string, size, modified int64) lake.Input {
	return lake.Input{Name: path, Fingerprint: strconv.FormatInt(size, 10) + " " + strconv.FormatInt(modified, 10)}
}

// workOf names work on files as they are now, and all that it depends on. The hash of the trace, which names the tables, is not known yet.
func (j *Job) workOf(cut Cut, files []lake.Input) string {
	return lake.Fingerprint(StageName, StageVersion, struct {
		Run    string
		Cut    Cut
		Of     lake.Origin
		Layout int
	}{j.Run, cut, j.origin(""), slicesLayout}, files)
}

// slicesLayout changes with the numbers of the tasks, and with what one leaves for the other.
const slicesLayout = 2

// The numbers of the tasks: the placement, the hash, the slices, the join, the buckets, the slices once more.
const (
	placeTask = iota
	hashTask
	firstSlice
)

// joinTask is recorded only where tasks run in processes of their own: in one process, the next task has in memory what was joined.
func (s *slicing) joinTask() int    { return firstSlice + len(s.slices) }
func (s *slicing) firstBucket() int { return s.joinTask() + 1 }

// againTask weaves a slice once more.
func (s *slicing) againTask(slice int) int { return s.firstBucket() + s.bucketTasks() + slice }

// ingest ingests the trace in the staging area of the files as they are. It keeps what is staged where it was interrupted, for
// the next attempt, and drops it after errors, which come from the trace.
func (s *slicing) ingest(ctx context.Context) (run *schema.Run, losses []schema.Loss, err error) {
	s.staging, err = s.Lake.Stage(StageName, lake.Run(s.Run), s.fingerprint())
	if err != nil {
		return nil, nil, err
	}
	run, losses, err = s.run(ctx)
	if err != nil && ctx.Err() == nil {
		s.staging.Discard()
	}
	return run, losses, err
}

// hashesSlices reports whether the slices are the blocks of the hash of the trace. Then it is made while they are read, and the
// trace is read once; where the text is longer than the memory of the machine, reading is what ingest waits for.
func (s *slicing) hashesSlices() bool { return len(s.files) == 1 && s.cut.Bytes == hashBlock }

// run does the tasks.
func (s *slicing) run(ctx context.Context) (*schema.Run, []schema.Loss, error) {
	if err := s.place(ctx); err != nil {
		return nil, nil, err
	}
	for _, f := range s.files {
		s.Progress.Expect(f.size)
	}
	// The hash is one task among the slices, unless they make it: it goes through the whole trace and begins first.
	done, err := s.recorded(ctx, hashTask, 1+len(s.slices), s.hashOrWeave)
	if err != nil {
		return nil, nil, err
	}
	if err := s.joinAll(ctx, done); err != nil {
		return nil, nil, err
	}
	if done, err = s.recorded(ctx, s.firstBucket(), s.buckets+1, s.writeBucket); err != nil {
		return nil, nil, err
	}
	return s.commitBuckets(done)
}

// hashOrWeave is the task of the hash, or that of the slice before i.
func (s *slicing) hashOrWeave(ctx context.Context, i int, to *lake.Staging) (*lake.Done, error) {
	if i == 0 {
		return s.hashFiles(to)
	}
	return s.weaveSlice(ctx, i-1, to)
}

// joinAll joins what the task of the hash and those of the slices left.
func (s *slicing) joinAll(ctx context.Context, done []*lake.Done) (err error) {
	if s.sum, err = s.readHash(done[0]); err != nil {
		return err
	}
	if err := s.join(ctx, done[1:]); err != nil {
		return err
	}
	s.late = s.latePatches()
	return nil
}

// recorded does tasks on as many cores as the memory has room for.
func (s *slicing) recorded(ctx context.Context, first, n int, do func(ctx context.Context, i int, to *lake.Staging) (*lake.Done, error)) ([]*lake.Done, error) {
	return pipeline.Recorded(ctx, s.staging, s.jobs(), first, n, do)
}

// jobs is how many slices or buckets are in memory at a time. Job.Memory is a quarter of what the process may take.
func (s *slicing) jobs() int {
	return int(max(1, min(int64(s.Jobs), 4*s.Memory/(sliceMemory*s.cut.Bytes))))
}

// hashFiles is the task that hashes the trace.
func (s *slicing) hashFiles(to *lake.Staging) (*lake.Done, error) {
	sum := ""
	if !s.hashesSlices() {
		var err error
		if sum, err = HashFiles(s.Jobs, s.Paths); err != nil {
			return nil, err
		}
	}
	return spillValue(to, "hash", sum)
}

func (s *slicing) readHash(done *lake.Done) (sum string, err error) {
	err = s.readValue(done, &sum)
	return sum, err
}

// spilled is the name of the file of a task in its record.
const spilled = "slice"

// spillValue writes a small value that later tasks read. Names may have any bytes, which JSON would not keep.
func spillValue(to *lake.Staging, name string, value any) (*lake.Done, error) {
	w, err := to.Spill(name)
	if err != nil {
		return nil, err
	}
	if err := gob.NewEncoder(w).Encode(value); err != nil {
		w.Abandon()
		return nil, err
	}
	f, err := w.Finish(0)
	return &lake.Done{Files: map[string][]lake.File{spilled: {f}}}, err
}

// readValue reads it.
func (s *slicing) readValue(done *lake.Done, into any) error {
	f := done.Files[spilled][0]
	text, err := s.staging.ReadSpill(f, 0, f.Bytes, nil)
	if err != nil {
		return err
	}
	return gob.NewDecoder(bytes.NewReader(text)).Decode(into)
}
