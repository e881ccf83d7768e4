// Command live measures what it costs to watch a system while it runs. It sends a trace to ingest --follow as fast as a system would that makes
// -rate executions a second in -components components, while -pages pages read the frames of analyze serve, and prints how many frames came, how
// large they are and how long each took to make, how long it takes from an event being sent until a frame has it, how long any moment that has
// passed takes, what both programs cost, and what making the run costs beside an ingest of the same trace.
//
// With -roll the system is recorded into one run after the other, and latencies are those of the first one. With -check it fails where a figure is
// beyond what was asked, which are -seconds 3600 -roll 10m -keep 4GB -check for an hour. Of the time for two moments it looks at the p95: the most is printed, and not held against the
// 100 ms.
//
// A frame counts when it has come at the page. With -browser a page of a browser looks on, too, and how long it takes until an event is painted is
// printed as well (browser.go). Times are those of this machine, CPU those of the processes.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/tracelake/tracelake/benchmarks/program"
	"github.com/tracelake/tracelake/pipeline/workers"
)

func main() { program.Main("live", run) }

// options are those of the command line.
type options struct {
	bin, dir         string
	components, rate int
	pages            int
	seconds          float64
	roll, keep       string
	check, browser   bool
}

func run(ctx context.Context, stdout, stderr io.Writer, args []string) error {
	var o options
	f := program.NewFlags("live", "[-seconds S] [-rate N] [-components N] [-pages N] [-roll D -keep SIZE] [-browser] [-check] [-bin DIR] [-dir DIR]", stderr)
	f.StringVar(&o.bin, "bin", "bin", "where ingest and analyze are")
	f.StringVar(&o.dir, "dir", os.TempDir(), "where the lake is made and removed again")
	f.IntVar(&o.components, "components", 400, "components of the system")
	f.IntVar(&o.rate, "rate", 100_000, "executions a second")
	f.IntVar(&o.pages, "pages", 1, "pages that look at it")
	f.Float64Var(&o.seconds, "seconds", 30, "how long it runs")
	f.StringVar(&o.roll, "roll", "", "make a run every so often, as 10m")
	f.StringVar(&o.keep, "keep", "", "with -roll: what the runs take of the disk, as 4GB")
	f.BoolVar(&o.check, "check", false, "fail where a figure is beyond what was asked; of the time for two moments that is the p95, and the most is only printed")
	f.BoolVar(&o.browser, "browser", false, "have a browser look at it, and measure when events are painted")
	if err := f.Parse(args); err != nil {
		return err
	}
	dir, err := os.MkdirTemp(o.dir, "tracelake-live-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	return (&trial{options: o, out: stdout, dir: dir, lake: filepath.Join(dir, "lake"), sent: make(map[int64]time.Time)}).run(ctx)
}

// trial is one measurement.
type trial struct {
	options
	out       io.Writer
	dir, lake string
	recorder  *exec.Cmd
	server    *exec.Cmd
	address   string
	client    *http.Client
	said      workers.Group

	mu      sync.Mutex
	sent    map[int64]time.Time // when executions of the marker were sent, by their number, of those that did not come at a page yet
	markers []time.Time         // all
	visit   string              // the address with the token
	frames  int
	bytes   []float64
	made    []float64 // ms
	late    []float64 // ms from being sent to the page
	painted []float64 // ms from being sent to being painted
	paints  int
	moments []float64 // ms
	most    [2]int64  // memory of recorder and server, kB
}

func (t *trial) run(ctx context.Context) error {
	defer t.stop()
	to, err := t.start(ctx)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, time.Duration(t.seconds*float64(time.Second)))
	defer cancel()
	began := [2]float64{cpu(t.recorder), cpu(t.server)}
	var group workers.Group
	group.Go(func() error { return t.send(ctx, to) })
	time.Sleep(500 * time.Millisecond) // the recording shows
	for page := range t.pages {
		group.Go(func() error { return t.page(ctx, page == 0) })
	}
	group.Go(func() error { return t.look(ctx) })
	if t.browser {
		group.Go(func() error { return t.paint(ctx) })
	}
	if err := group.Wait(); err != nil {
		return err
	}
	recorder, server := cpu(t.recorder)-began[0], cpu(t.server)-began[1]
	t.tell(recorder, server)
	return errors.Join(t.seal(), t.asked(100*(recorder+server)/t.seconds))
}

// start starts both programs, and connects with the recorder.
func (t *trial) start(ctx context.Context) (net.Conn, error) {
	args := []string{"--follow", "--lake", t.lake, "--run", "x", "tcp:127.0.0.1:0"}
	if t.roll != "" {
		args = append(args, "--roll", t.roll)
	}
	if t.keep != "" {
		args = append(args, "--keep", t.keep)
	}
	t.recorder = exec.Command(filepath.Join(t.bin, "ingest"), args...)
	said, err := t.recorder.StderrPipe()
	if err == nil {
		err = t.recorder.Start()
	}
	if err != nil {
		return nil, err
	}
	lines := bufio.NewScanner(said)
	var address string
	for address == "" && lines.Scan() {
		if _, after, is := strings.Cut(lines.Text(), "sent to tcp:"); is {
			address = strings.TrimRight(strings.Fields(after)[0], ";")
		}
	}
	t.said.Go(func() error { // what else it says
		for lines.Scan() {
			fmt.Fprintln(t.out, "  ", lines.Text())
		}
		return lines.Err()
	})
	t.server = exec.Command(filepath.Join(t.bin, "analyze"), "--lake", t.lake, "serve", "--listen", "127.0.0.1:0")
	served, err := t.server.StdoutPipe()
	if err == nil {
		err = t.server.Start()
	}
	if err != nil {
		return nil, err
	}
	line, err := bufio.NewReader(served).ReadString('\n')
	if err != nil {
		return nil, fmt.Errorf("analyze serve: %w", err)
	}
	t.client = &http.Client{Transport: &admitted{}}
	t.visit = strings.TrimSpace(line)
	r, err := t.client.Get(t.visit)
	if err != nil {
		return nil, err
	}
	r.Body.Close()
	t.address, _, _ = strings.Cut(t.visit, "/?")
	return new(net.Dialer).DialContext(ctx, "tcp", address)
}

// admitted keeps the cookie of the server.
type admitted struct{ cookie string }

func (a *admitted) RoundTrip(r *http.Request) (*http.Response, error) {
	if a.cookie != "" {
		r.Header.Set("Cookie", a.cookie)
	}
	answer, err := http.DefaultTransport.RoundTrip(r)
	if err == nil && answer.Header.Get("Set-Cookie") != "" {
		a.cookie, _, _ = strings.Cut(answer.Header.Get("Set-Cookie"), ";")
	}
	return answer, err
}

const (
	tick   = 10 * time.Millisecond
	marked = 25 // ticks between two executions of the marker
)

// send sends the trace: in every tick all executions that are due, each after the other on the lane of its component.
func (t *trial) send(ctx context.Context, to net.Conn) error {
	defer to.Close()
	began := time.Now()
	var b []byte
	rng := rand.New(rand.NewPCG(1, 1))
	event := func(ns int64, component string, number int, sign string) {
		b = strconv.AppendInt(b, ns/1e9, 10)
		b = append(b, '.')
		for digits := int64(1e8); digits > 0; digits /= 10 {
			b = append(b, '0'+byte(ns/digits%10))
		}
		b = append(append(b, ' '), component...)
		if number >= 0 {
			b = strconv.AppendInt(b, int64(number), 10)
		}
		b = append(b, sign...)
	}
	markers, done, at := int64(0), 0, int64(0) // the time of the trace
	for n := 1; ctx.Err() == nil; n++ {
		due := int(float64(t.rate) * time.Since(began).Seconds())
		now, first := time.Since(began).Nanoseconds(), at
		if b = b[:0]; n%marked == 0 {
			markers++
			event(at, "marker", -1, " > f\n")
			event(at, "marker", -1, " < f\n")
		}
		step := max(1, (now-first)/int64(max(1, due-done)))
		for ; done < due; at, done = at+step, done+1 {
			c := rng.IntN(t.components)
			event(at, "component-", c, " > f\n")
			event(at+step/2, "component-", c, " < f\n")
		}
		if n%marked == 0 {
			t.mu.Lock()
			t.sent[markers] = time.Now()
			t.markers = append(t.markers, t.sent[markers])
			t.mu.Unlock()
		}
		if _, err := to.Write(b); err != nil {
			return fmt.Errorf("the traced system is held up: %w", err)
		}
		time.Sleep(max(0, time.Duration(n)*tick-time.Since(began)))
	}
	fmt.Fprintf(t.out, "%d executions in %.1f s\n", done, time.Since(began).Seconds())
	return nil
}

// seen is what is read of a frame.
type seen struct {
	Components []string `json:"components"`
	Calls      []int64  `json:"calls"`
	MadeUs     int64    `json:"made_us"`
	NowNs      int64    `json:"now_ns"`
}

// page reads frames as a page does, of one run of a series after the other. Only the first page measures.
func (t *trial) page(ctx context.Context, measures bool) error {
	for first := true; ctx.Err() == nil; first = false {
		if err := t.stream(ctx, measures, first); err != nil && (t.roll == "" || !errors.Is(err, io.EOF)) {
			return err
		}
	}
	return nil
}

// stream reads frames until the stream ends.
func (t *trial) stream(ctx context.Context, measures, first bool) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, t.address+"/api/live/x/frames?interval=1000000000000000000&pixels=0", nil)
	if err != nil {
		return err
	}
	a, err := t.client.Do(r)
	if err != nil {
		return err
	}
	defer a.Body.Close()
	lines := bufio.NewReaderSize(a.Body, 1<<20)
	marker := -1
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			if ctx.Err() != nil {
				return nil
			}
			return fmt.Errorf("the stream of a page: %w", err)
		}
		data, is := bytes.CutPrefix(line, []byte("data: "))
		if !is || !measures {
			continue
		}
		now := time.Now()
		var f seen
		if err := json.Unmarshal(data, &f); err != nil {
			continue // the word that the run of a series ended
		}
		if len(f.Components) > 0 {
			marker = slices.Index(f.Components, "marker")
		}
		t.mu.Lock()
		t.frames++
		t.bytes, t.made = append(t.bytes, float64(len(line))), append(t.made, float64(f.MadeUs)/1e3)
		if first && marker >= 0 && marker < len(f.Calls) {
			for n, at := range t.sent {
				if n <= f.Calls[marker] {
					t.late = append(t.late, float64(now.Sub(at).Microseconds())/1e3)
					delete(t.sent, n)
				}
			}
		}
		t.mu.Unlock()
	}
}

// look asks for moments that have passed, now and then, and looks how much memory is taken.
func (t *trial) look(ctx context.Context) error {
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(500 * time.Millisecond):
		}
		for i, c := range []*exec.Cmd{t.recorder, t.server} {
			t.most[i] = max(t.most[i], status(c, "VmRSS:"))
		}
		began := time.Now()
		f, err := t.frame("interval=1000000000")
		if err == nil && f.NowNs > 0 {
			began = time.Now()
			_, err = t.frame(fmt.Sprintf("at=%d&interval=%d", rand.Int64N(f.NowNs), 1+rand.Int64N(f.NowNs)))
		}
		if err != nil && ctx.Err() == nil {
			return err
		}
		t.moments = append(t.moments, float64(time.Since(began).Microseconds())/1e3)
	}
}

func (t *trial) frame(sight string) (f seen, err error) {
	a, err := t.client.Get(t.address + "/api/live/x/frame?" + sight)
	if err != nil {
		return f, err
	}
	defer a.Body.Close()
	if a.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(a.Body)
		return f, fmt.Errorf("a frame: %s", text)
	}
	return f, json.NewDecoder(a.Body).Decode(&f)
}

// tell prints the figures.
func (t *trial) tell(recorder, server float64) {
	s := t.seconds
	fmt.Fprintf(t.out, "%.1f frames/s at %d pages, %.1f kB each; made in %.2f ms at the median, %.2f at p95\n", float64(t.frames)/(s-0.5), t.pages, quantile(t.bytes, 0.5)/1e3, quantile(t.made, 0.5), quantile(t.made, 0.95))
	fmt.Fprintf(t.out, "from an event being sent to a frame at the page: %.0f ms at the median, %.0f at p95, of %d\n", quantile(t.late, 0.5), quantile(t.late, 0.95), len(t.late))
	if t.browser {
		fmt.Fprintf(t.out, "%.1f frames/s painted; from an event being sent to its being painted: %.0f ms at the median, %.0f at p95, of %d\n",
			float64(t.paints)/(s-warmUp.Seconds()), quantile(t.painted, 0.5), quantile(t.painted, 0.95), len(t.painted))
	}
	fmt.Fprintf(t.out, "any two moments: %.0f ms at the median, %.0f at p95, %.0f at most, of %d\n", quantile(t.moments, 0.5), quantile(t.moments, 0.95), quantile(t.moments, 1), len(t.moments))
	fmt.Fprintf(t.out, "ingest --follow %.1f %% of a core and %.0f MB, serve %.1f %% and %.0f MB\n", 100*recorder/s, float64(t.most[0])/1e3, 100*server/s, float64(t.most[1])/1e3)
}

// asked says which figures are beyond what was asked.
func (t *trial) asked(percent float64) (err error) {
	if !t.check {
		return nil
	}
	for _, f := range []struct {
		what      string
		has, most float64
	}{
		{"ms between frames", 1000 * (t.seconds - 0.5) / float64(t.frames), 42}, {"ms to make a frame", quantile(t.made, 0.5), 2}, {"bytes of a frame", quantile(t.bytes, 0.5), 20_000},
		{"ms to the page at the median", quantile(t.late, 0.5), 100}, {"ms to the page at p95", quantile(t.late, 0.95), 200}, {"ms for two moments at p95", quantile(t.moments, 0.95), 100},
		{"% of a core", percent, 30}, {"MB", float64(t.most[0]+t.most[1]) / 1e3, 300},
		{"ms until it is painted at the median", quantile(t.painted, 0.5), 100}, {"ms until it is painted at p95", quantile(t.painted, 0.95), 200},
	} {
		if f.has > f.most {
			err = errors.Join(err, fmt.Errorf("%.1f %s, and at most %v were asked", f.has, f.what, f.most))
		}
	}
	return err
}

func quantile(all []float64, share float64) float64 {
	if len(all) == 0 {
		return 0
	}
	slices.Sort(all)
	return all[min(len(all)-1, int(share*float64(len(all))))]
}

// seal ends the recording, and compares what that costs with an ingest of the trace.
func (t *trial) seal() error {
	kept := filepath.Join(t.dir, "trace")
	if err := os.Link(filepath.Join(t.lake, "_live/run=x/trace"), kept); err != nil {
		fmt.Fprintln(t.out, "making the last run is not compared, as the recording is one of a series")
		return nil
	}
	before, began := cpu(t.recorder), time.Now()
	if err := errors.Join(t.recorder.Process.Signal(syscall.SIGINT), t.recorder.Wait()); err != nil {
		return err
	}
	sealed, wall := t.recorder.ProcessState.UserTime()+t.recorder.ProcessState.SystemTime(), time.Since(began)
	c := exec.Command(filepath.Join(t.bin, "ingest"), "--quiet", "--lake", filepath.Join(t.dir, "batch"), "--run", "x", kept)
	began = time.Now()
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	batch := (c.ProcessState.UserTime() + c.ProcessState.SystemTime()).Seconds()
	fmt.Fprintf(t.out, "making the run: %.2f CPU-s, %.2f s; an ingest of the trace: %.2f CPU-s, %.2f s (%.2f times)\n",
		sealed.Seconds()-before, wall.Seconds(), batch, time.Since(began).Seconds(), (sealed.Seconds()-before)/batch)
	return nil
}

// stop ends what is left.
func (t *trial) stop() {
	for _, c := range []*exec.Cmd{t.recorder, t.server} {
		if c != nil && c.Process != nil && c.ProcessState == nil {
			c.Process.Kill()
			c.Wait()
		}
	}
}

// cpu is the CPU time of a process so far, in seconds.
func cpu(c *exec.Cmd) float64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", c.Process.Pid))
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	user, _ := strconv.ParseFloat(fields[11], 64)
	system, _ := strconv.ParseFloat(fields[12], 64)
	return (user + system) / 100 // ticks of Linux
}

// status is a number in the status of a process, in kB.
func status(c *exec.Cmd, name string) int64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", c.Process.Pid))
	if err != nil {
		return 0
	}
	_, after, _ := strings.Cut(string(text), name)
	n, _ := strconv.ParseInt(strings.Fields(after + " 0")[0], 10, 64)
	return n
}
