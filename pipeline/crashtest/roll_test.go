package crashtest

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tracelake/tracelake/pipeline/lake/testdata/laketest"
	"github.com/tracelake/tracelake/testdata/expect"
)

// linked keeps the bytes of all recordings of a lake, which are gone when runs are made of them.
func linked(t *testing.T, lake string) (folder string) {
	folder = t.TempDir()
	over := make(chan struct{})
	var group sync.WaitGroup
	group.Go(func() {
		for {
			found, _ := filepath.Glob(filepath.Join(lake, "_live/run=*/[^_]*"))
			for _, path := range found {
				to := filepath.Join(folder, strings.TrimPrefix(filepath.Base(filepath.Dir(path)), "run="))
				if os.Mkdir(to, 0o777) == nil {
					os.Link(path, filepath.Join(to, filepath.Base(path)))
				}
			}
			select {
			case <-over:
				return
			case <-time.After(10 * time.Millisecond):
			}
		}
	})
	t.Cleanup(func() { close(over); group.Wait() })
	return folder
}

// runsOf lists the runs of a lake.
func runsOf(t *testing.T, lake string) (runs []string) {
	found := expect.Value(filepath.Glob(filepath.Join(lake, "runs/run=*")))(t)
	for _, path := range found {
		runs = append(runs, strings.TrimPrefix(filepath.Base(path), "run="))
	}
	return runs
}

// sameAsStretches compares the runs of a series with ingests of what was recorded for each, byte by byte, and returns these bytes.
func (f *followed) sameAsStretches(folder string) (stretches []string) {
	f.t.Helper()
	batch := filepath.Join(f.t.TempDir(), "lake")
	runs := runsOf(f.t, f.lake)
	for _, run := range runs {
		path := expect.Value(filepath.Glob(filepath.Join(folder, run, "*")))(f.t)
		if len(path) != 1 {
			f.t.Fatalf("nothing was recorded for run %s: %v\n%s", run, path, f.said())
		}
		stretches = append(stretches, string(expect.Value(os.ReadFile(path[0]))(f.t)))
		must(f.t, batch, "ingest", "--quiet", "--run", run, "--label", "night=1", "--label", "series=x", path[0])
	}
	laketest.CheckSame(f.t, "runs of a series", tables(f.t, f.lake), tables(f.t, batch))
	return stretches
}

// TestRollFile records a file that grows, also within lines and within calls, into a run a second. The recorder is killed meanwhile, and goes on. The
// file is the runs one behind the other, each cut at a line, and each is what an ingest of these lines gives.
func TestRollFile(t *testing.T) {
	t.Parallel()
	whole := expect.Value(os.ReadFile(trace(t, "2e4")))(t)
	grows := filepath.Join(t.TempDir(), "grows.txt")
	expect.OK(t, os.WriteFile(grows, nil, 0o666))
	f := follow(t, grows, "--roll", "1s")
	folder := linked(t, f.lake)
	for i := range 40 {
		file := expect.Value(os.OpenFile(grows, os.O_APPEND|os.O_WRONLY, 0o666))(t)
		expect.Value(file.Write(whole[len(whole)*i/40 : len(whole)*(i+1)/40]))(t)
		expect.OK(t, file.Close())
		time.Sleep(100 * time.Millisecond)
		if i%15 == 7 {
			expect.OK(t, f.c.Process.Kill())
			f.c.Wait()
			f.start(grows, "--roll", "1s")
		}
	}
	time.Sleep(200 * time.Millisecond)
	f.end(false)
	stretches := f.sameAsStretches(folder)
	if len(stretches) < 3 {
		t.Errorf("runs %v: %s", runsOf(t, f.lake), f.said())
	}
	for i, s := range stretches {
		if !strings.HasSuffix(s, "\n") {
			t.Errorf("stretch %d ends within a line: %q", i+1, s[max(0, len(s)-80):])
		}
	}
	if strings.Join(stretches, "") != string(whole) {
		t.Errorf("%d stretches of %d bytes are not the file of %d", len(stretches), len(strings.Join(stretches, "")), len(whole))
	}
	f.says("open call", "which both count as losses", "run x-0002: ")
	if left, _ := filepath.Glob(filepath.Join(f.lake, "_live*")); len(left) > 0 {
		t.Errorf("%v is left", left)
	}
}

// TestRollSent records what Kieker and our recorder for C send, whose records need names that were sent long before. A call is open at every
// border: it has no end in one run and no beginning in the next one, and both count it.
func TestRollSent(t *testing.T) {
	t.Parallel()
	record := func(time, function uint64, thread, kind uint32) []byte {
		b := make([]byte, 32)
		binary.LittleEndian.PutUint64(b, time)
		binary.LittleEndian.PutUint64(b[8:], function)
		binary.LittleEndian.PutUint32(b[24:], thread)
		binary.LittleEndian.PutUint32(b[28:], kind)
		return b
	}
	const module = "# module 0x1000 0x9000 0x0 /usr/bin/prog\n"
	for name, source := range map[string]struct {
		address string
		begin   func(c net.Conn) (call func(i int64)) // call 30 is the last one
	}{
		"Kieker": {"kieker:127.0.0.1:0", func(c net.Conn) func(int64) {
			w := &tcpWriter{t: t, records: c, entries: c, numbers: map[string]int32{}}
			return func(i int64) {
				w.calls("host", 100*i, 50)
				w.send()
			}
		}},
		"a binary log": {"tcp:127.0.0.1:0", func(c net.Conn) func(int64) {
			remark := record(0, 64, 0, 2)
			c.Write(append(remark, append([]byte(module), make([]byte, 64-len(module))...)...))
			c.Write(record(1, 0x1100, 7, 0)) // main
			return func(i int64) {
				at := uint64(10 * (i + 1))
				if i == 30 {
					c.Write(record(at, 0x1100, 7, 1))
					return
				}
				both := append(record(at, 0x1200, 7, 0), record(at+5, 0x1200, 7, 1)...)
				c.Write(both[:40])
				time.Sleep(20 * time.Millisecond)
				c.Write(both[40:])
			}
		}},
		"a log of text": {"tcp:127.0.0.1:0", func(c net.Conn) func(int64) {
			fmt.Fprint(c, module, "1 7 E 0x1100 0x0\n")
			return func(i int64) {
				if i == 30 {
					fmt.Fprintf(c, "%d 7 X 0x1100 0x0\n", 10*(i+1))
					return
				}
				fmt.Fprintf(c, "%d 7 E 0x12", 10*(i+1))
				time.Sleep(20 * time.Millisecond)
				fmt.Fprintf(c, "00 0x0\n%d 7 X 0x1200 0x0\n", 10*(i+1)+5)
			}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := follow(t, source.address, "--roll", "1s")
			folder := linked(t, f.lake)
			before, behind := "sent to tcp:", ";"
			if name == "Kieker" {
				before = "Kieker send to "
			}
			c := expect.Value(net.Dial("tcp", strings.Fields(f.told(before, behind))[0]))(t)
			call := source.begin(c)
			for i := range int64(31) {
				call(i)
				time.Sleep(80 * time.Millisecond)
			}
			expect.OK(t, c.Close())
			time.Sleep(200 * time.Millisecond)
			f.end(false)
			if stretches := f.sameAsStretches(folder); len(stretches) < 2 {
				t.Errorf("runs %v: %s", runsOf(t, f.lake), f.said())
			}
			functions := strings.Split(strings.TrimSpace(answer(t, f.lake, "select distinct regexp_replace(function, '[0-9]*.int.$', '') as f from events order by f")), "\n")
			want := []string{"get", "run"}
			if name != "Kieker" {
				want = []string{"0x1100", "0x1200"}
				// main is known where it begins and where it ends, and each run counts what it lacks.
				lost := answer(t, f.lake, "select run = 'x-0001', reason, count from losses where reason in ('open_at_end', 'unmatched_exit') order by reason")
				expect.Equal(t, strings.TrimSpace(lost), "true,open_at_end,1\nfalse,unmatched_exit,1", "of main is lost")
			}
			expect.Equal(t, len(functions), len(want), "functions: %q", functions)
			for i, f := range functions {
				if i < len(want) && !strings.Contains(f, want[i]) {
					t.Errorf("function %q, want %q", f, want[i])
				}
			}
		})
	}
}

// answer is what a query says, without its heading.
func answer(t *testing.T, lake, query string) string {
	t.Helper()
	c, stderr := program(lake, "analyze", "query", "--quiet", "--format", "csv", query)
	var out bytes.Buffer
	c.Stdout = &out
	if err := c.Run(); err != nil {
		t.Fatalf("%v\n%s", err, stderr)
	}
	_, rows, _ := strings.Cut(out.String(), "\n")
	return rows
}

// TestKeep sees that the oldest runs of a series go when it takes too much, none of another name, and never the one at hand.
func TestKeep(t *testing.T) {
	t.Parallel()
	whole := expect.Value(os.ReadFile(trace(t, "3e5")))(t)
	lake := filepath.Join(t.TempDir(), "lake")
	beside := smallTrace(t.TempDir(), 0)
	expect.OK(t, os.WriteFile(beside, []byte(small(0)), 0o666))
	must(t, lake, "ingest", "--quiet", "--run", "x-0000", beside)
	must(t, lake, "ingest", "--quiet", "--run", "y-0001", beside)
	others := int64(size(t, lake))
	f := &followed{t: t, lake: lake, stderr: filepath.Join(t.TempDir(), "stderr")}
	f.start("tcp:127.0.0.1:0", "--roll", "1s", "--keep", "6MB")
	c := expect.Value(net.Dial("tcp", strings.Fields(f.told("sent to tcp:", ";"))[0]))(t)
	most := int64(0)
	for i := range 60 {
		expect.Value(c.Write(whole[len(whole)*i/60 : len(whole)*(i+1)/60]))(t)
		for range 10 {
			time.Sleep(10 * time.Millisecond)
			most = max(most, int64(size(t, lake))-others)
		}
	}
	expect.OK(t, c.Close())
	time.Sleep(2 * time.Second)
	f.end(false)
	most = max(most, int64(size(t, lake))-others)
	f.says("dropped, as the series x would take more than 6")
	runs := runsOf(t, lake)
	if !slices.Contains(runs, "x-0000") || !slices.Contains(runs, "y-0001") || slices.Contains(runs, "x-0001") || len(runs) < 4 {
		t.Errorf("runs %v\n%s", runs, f.said())
	}
	t.Logf("the series took %d bytes at most", most)
	if most > 6e6 {
		t.Errorf("the series took %d bytes at most", most)
	}
}

// TestDiskFull records each kind of source to a disk that has hardly any room: the recorder says so, whoever writes is not held up and sees no
// error, but for those of OTLP, who are told; and what was recorded becomes a run when there is room.
func TestDiskFull(t *testing.T) {
	t.Parallel()
	if exec.Command("unshare", "--mount", "true").Run() != nil {
		t.Skip("this machine does not let the test mount a small disk")
	}
	text := func(i int) []byte {
		return fmt.Appendf(nil, "%d.%09d A > f\n%d.%09d A < f\n", i, 1, i, 2)
	}
	for name, s := range map[string]struct {
		source string
		open   func(t *testing.T, f *followed, dir string) (write func(i int) error, end func())
	}{
		"file": {"", func(t *testing.T, f *followed, dir string) (func(int) error, func()) {
			file := expect.Value(os.OpenFile(filepath.Join(dir, "grows.txt"), os.O_APPEND|os.O_WRONLY, 0o666))(t)
			return func(i int) error { _, err := file.Write(bytes.Repeat(text(i), 500)); return err }, func() { file.Close() }
		}},
		"pipe": {"-", nil},
		"tcp": {"tcp:127.0.0.1:0", func(t *testing.T, f *followed, dir string) (func(int) error, func()) {
			c := expect.Value(net.Dial("tcp", strings.Fields(f.told("sent to tcp:", ";"))[0]))(t)
			return func(i int) error { _, err := c.Write(bytes.Repeat(text(i), 500)); return err }, func() { c.Close() }
		}},
		"kieker": {"kieker:127.0.0.1:0", func(t *testing.T, f *followed, dir string) (func(int) error, func()) {
			first, _ := f.kiekerPorts()
			c := expect.Value(net.Dial("tcp", first))(t)
			w := &tcpWriter{t: t, records: c, entries: c, numbers: map[string]int32{}}
			return func(i int) error { w.calls("host", int64(100*i), 100); w.send(); return nil }, func() { c.Close() } // a write that fails fails the test
		}},
		"uftrace": {"uftrace:127.0.0.1:0", func(t *testing.T, f *followed, dir string) (func(int) error, func()) {
			c := expect.Value(net.Dial("tcp", f.told("--host sends to ", ",")))(t)
			message := func(kind uint16, p []byte) []byte {
				b := binary.BigEndian.AppendUint16(nil, 0xface)
				b = binary.BigEndian.AppendUint16(b, kind)
				return append(binary.BigEndian.AppendUint32(b, uint32(len(p))), p...)
			}
			expect.Value(c.Write(message(101, []byte("p.data"))))(t)
			data := make([]byte, 30_000)
			return func(int) error { _, err := c.Write(message(102, data)); return err }, func() { c.Close() }
		}},
		"otlp": {"otlp:127.0.0.1:0", func(t *testing.T, f *followed, dir string) (func(int) error, func()) {
			address := f.told("what is posted to ", ";")
			refused := false
			return func(i int) error {
				one, _ := otlpSpan("service", byte(i%250)+1, 0, 1_700_000_000_000_000_000+uint64(i), 1_700_000_000_000_000_500+uint64(i))
				var spans map[string]any
				expect.OK(t, json.Unmarshal([]byte(one), &spans))
				spans["padding"] = strings.Repeat("x", 50_000)
				r, err := postAnyway(address, expect.Value(json.Marshal(spans))(t))
				refused = refused || err != nil || r == 503
				return nil
			}, func() { expect.Equal(t, refused, true, "senders of OTLP are told") }
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			disk := filepath.Join(dir, "disk")
			expect.OK(t, os.Mkdir(disk, 0o777))
			source := s.source
			if name == "file" {
				source = filepath.Join(dir, "grows.txt")
				expect.OK(t, os.WriteFile(source, nil, 0o666))
			}
			f := &followed{t: t, lake: filepath.Join(disk, "lake"), stderr: filepath.Join(dir, "stderr")}
			const script = `disk=$1; shift; mount -t tmpfs -o size=1m tmpfs "$disk" || exit 99
"$@"; echo "code $?"; cp -r "$disk/lake" "$disk-after"`
			f.c = exec.Command("unshare", "--mount", "sh", "-c", script, "sh", disk, filepath.Join(home, "ingest"), "--follow", "--run", "x", "--lake", f.lake, "--idle", "2s", source)
			stderr := expect.Value(os.Create(f.stderr))(t)
			f.c.Stderr = stderr
			var stdout bytes.Buffer
			f.c.Stdout = &stdout
			open := s.open
			if open == nil {
				in := expect.Value(f.c.StdinPipe())(t)
				open = func(*testing.T, *followed, string) (func(int) error, func()) {
					return func(i int) error { _, err := in.Write(bytes.Repeat(text(i), 500)); return err }, func() { in.Close() }
				}
			}
			expect.OK(t, f.c.Start())
			write, end := open(t, f, dir)
			until := time.Now().Add(4 * time.Second)
			for i := 0; time.Now().Before(until) && i < 400; i++ {
				expect.OK(t, write(i))
				time.Sleep(5 * time.Millisecond)
			}
			end()
			if err := f.c.Wait(); err != nil {
				t.Fatalf("%v\n%s", err, f.said())
			}
			expect.Equal(t, strings.TrimSpace(stdout.String()), "code 1", "exit code: %s", f.said())
			f.says("no space left on device", "becomes a run by: ingest seal x")
			if name != "file" && name != "otlp" {
				f.says("what still comes is thrown away")
			}
			if name != "uftrace" { // what was sent is no trace
				must(t, disk+"-after", "ingest", "seal")
				if n := strings.TrimSpace(answer(t, disk+"-after", "select events > 100 from runs where run = 'x'")); name != "otlp" && n != "true" {
					t.Errorf("more than 100 events of what was recorded: %q", n)
				}
			}
		})
	}
}

// TestRollWhole records a trace that can be read only when it is whole: it becomes one run, however often one is asked for, and that is said once.
func TestRollWhole(t *testing.T) {
	t.Parallel()
	grows := filepath.Join(t.TempDir(), "grows.json")
	expect.OK(t, os.WriteFile(grows, []byte("[\n"), 0o666))
	f := follow(t, grows, "--roll", "1s", "--keep", "1GB")
	for i := range 12 {
		file := expect.Value(os.OpenFile(grows, os.O_APPEND|os.O_WRONLY, 0o666))(t)
		fmt.Fprintf(file, `{"name": "f", "ph": "X", "pid": 1, "tid": 1, "ts": %d, "dur": 5},`+"\n", 10*i)
		expect.OK(t, file.Close())
		time.Sleep(100 * time.Millisecond)
	}
	f.told("a trace of the format chrome can be read only when it is whole, so that --roll makes no further runs of it, and --keep does not bound it; ", ": record the next")
	f.end(false)
	expect.Equal(t, strings.Count(f.said(), "only when it is whole"), 1, "how often that is said: %s", f.said())
	expect.Equal(t, strings.Join(runsOf(t, f.lake), " "), "x-0001", "runs")
	expect.Equal(t, strings.TrimSpace(answer(t, f.lake, "select executions from runs")), "12", "calls of the run")
}
