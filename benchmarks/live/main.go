// Command live measures what it costs to watch a system while it runs. It sends a trace to ingest --follow as fast as a system would that makes
// -rate executions a second in -components components, while -pages pages read the frames of analyze serve, and prints how many frames came, how
// large they are and how long each took to make, how long it takes from an event being sent until a frame has it, how long any moment that has
// passed takes, what both programs cost, and what making the run costs beside an ingest of the same trace.
//
// With -against pages compare with a stored run of the same system, and what a frame takes is that of those with a difference.
//
// With -roll the system is recorded into one run after the other. With -sleep one more page sleeps now and then, and how long it takes until it is
// up to date again is printed; with -restart the server is killed in the middle and started again. With -check the program fails where a figure is
// beyond what was asked (asked.go): of the time for two moments that is the p95, and the most is only printed. The nightly run is
// -for 1h -roll 10m -keep 4GB -pages 6 -sleep -restart -check.
//
// A frame counts when it has come at the page. With -browser a page of a browser looks on, too, and how long it takes until an event of the first run is
// painted is printed as well. Times are those of this machine, CPU those of the processes.
//
//	send.go     the system that is watched
//	page.go     a page that reads frames; browser.go: one that paints them
//	server.go   analyze serve, which is started again
//	look.go     moments that have passed, memory, disk
//	asked.go    the figures, and what was asked
package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/tracelake/tracelake/benchmarks/program"
	"github.com/tracelake/tracelake/pipeline/workers"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

func main() { program.Main("live", run) }

// options are those of the command line.
type options struct {
	bin, dir         string
	components, rate int
	pages            int
	length           time.Duration
	roll             string
	keep             int64 // 0: there is no bound
	check, browser   bool
	sleeps, restarts bool
	against          time.Duration // of the baseline; 0: there is none
}

func run(ctx context.Context, stdout, stderr io.Writer, args []string) error {
	var o options
	f := program.NewFlags("live", "[-for D] [-rate N] [-components N] [-pages N] [-roll D -keep SIZE] [-against D] [-sleep] [-restart] [-browser] [-check] [-bin DIR] [-dir DIR]", stderr)
	f.StringVar(&o.bin, "bin", "bin", "where ingest and analyze are")
	f.StringVar(&o.dir, "dir", os.TempDir(), "where the lake is made and removed again")
	f.IntVar(&o.components, "components", 400, "components of the system")
	f.IntVar(&o.rate, "rate", 100_000, "executions a second")
	f.IntVar(&o.pages, "pages", 1, "pages that look at it")
	f.DurationVar(&o.length, "for", 30*time.Second, "how long it runs")
	f.StringVar(&o.roll, "roll", "", "make a run every so often, as 10m")
	f.Func("keep", "with -roll: what the runs take of the disk, as 4GB", func(text string) (err error) {
		o.keep, err = texttab.ParseBytes(text)
		return err
	})
	f.DurationVar(&o.against, "against", 0, "have pages compare with a stored run of the same system, of so long, as 60s")
	f.BoolVar(&o.sleeps, "sleep", false, fmt.Sprintf("have one more page, which sleeps for %v now and then", asleep))
	f.BoolVar(&o.restarts, "restart", false, "kill the server in the middle and start it again")
	f.BoolVar(&o.check, "check", false, "fail where a figure is beyond what was asked; of the time for two moments that is the p95, and the most is only printed")
	f.BoolVar(&o.browser, "browser", false, "have a browser look at it, and measure when events are painted")
	if err := f.Parse(args); err != nil {
		return err
	}
	if o.pages < 1 {
		return errors.New("-pages: 1 at least, as frames are counted there")
	}
	if o.browser && o.restarts {
		return errors.New("-browser and -restart: the server that is started again has another token, which a person would give to the browser")
	}
	dir, err := os.MkdirTemp(o.dir, "tracelake-live-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	t := &trial{options: o, out: stdout, dir: dir, lake: filepath.Join(dir, "lake"), sent: make(map[int64]time.Time), frames: make([]int, o.pages)}
	return t.run(ctx)
}

// trial is one measurement.
type trial struct {
	options
	out       io.Writer
	dir, lake string
	recorder  *exec.Cmd
	address   string
	said      workers.Group

	mu       sync.Mutex
	server   *exec.Cmd
	admitted *http.Client
	visit    string              // the address with the token
	killed   time.Time           // when the server was; zero: it was not
	spent    float64             // CPU time of the one that was killed, in seconds
	sent     map[int64]time.Time // when executions of the marker were sent, by their number, of those that did not come at a page yet
	markers  []time.Time         // all
	frames   []int               // by page
	bytes    []float64
	made     []float64 // ms
	late     []float64 // ms from being sent to the page
	painted  []float64 // ms from being sent to being painted
	paints   int
	moments  []float64 // ms
	woken    []float64 // ms from waking to being up to date, of the page that sleeps
	wakings  int
	returned []float64 // ms from the end of the server to the first frame of the next one, by page
	most     [2]int64  // memory of recorder and server, kB
	disk     int64     // bytes of the lake at most
	left     int       // recordings at the end
	sealed   float64   // times what an ingest costs; 0: it was not compared
	compared int       // frames that a page has of a difference to the baseline, or, where none is compared with, of all
}

// beginning is when pages begin to look.
const beginning = 500 * time.Millisecond

func (t *trial) run(ctx context.Context) error {
	defer t.stop()
	if t.against > 0 {
		if err := t.store(ctx); err != nil {
			return err
		}
	}
	to, err := t.start(ctx)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, t.length)
	defer cancel()
	began := [2]float64{cpu(t.recorder), cpu(t.server)}
	group, ctx := workers.WithContext(ctx)
	group.Go(func() error { return t.send(ctx, to) })
	time.Sleep(beginning) // the recording shows
	for i := range t.pages {
		group.Go(func() error {
			p := &page{trial: t, measures: i == 0}
			err := p.watch(ctx)
			t.frames[i] = p.frames
			return err
		})
	}
	if t.sleeps {
		group.Go(func() error { return (&page{trial: t, awake: 20 * time.Second}).watch(ctx) })
	}
	if t.restarts {
		group.Go(func() error { return t.restart(ctx) })
	}
	group.Go(func() error { return t.look(ctx) })
	if t.browser {
		group.Go(func() error { return t.paint(ctx) })
	}
	if err := group.Wait(); err != nil {
		return err
	}
	recorder, server := cpu(t.recorder)-began[0], t.spent+cpu(t.server)-began[1]
	recordings, err := filepath.Glob(filepath.Join(t.lake, "_live/run=*"))
	if err != nil {
		return err
	}
	t.left = len(recordings)
	t.tell(recorder, server)
	return errors.Join(t.seal(), t.asked(100*(recorder+server)/t.length.Seconds()))
}

// readers is how many pages read frames.
func (t *trial) readers() int {
	if t.sleeps {
		return t.pages + 1
	}
	return t.pages
}

// start starts both programs, and connects with the recorder.
func (t *trial) start(ctx context.Context) (net.Conn, error) {
	args := []string{"--follow", "--lake", t.lake, "--run", "x", "tcp:127.0.0.1:0"}
	if t.roll != "" {
		args = append(args, "--roll", t.roll)
	}
	if t.keep > 0 {
		args = append(args, "--keep", strconv.FormatInt(t.keep, 10))
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
	if err := t.serve("127.0.0.1:0"); err != nil {
		return nil, err
	}
	return new(net.Dialer).DialContext(ctx, "tcp", address)
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
	t.sealed = (sealed.Seconds() - before) / batch
	fmt.Fprintf(t.out, "making the run: %.2f CPU-s, %.2f s; an ingest of the trace: %.2f CPU-s, %.2f s (%.2f times)\n",
		sealed.Seconds()-before, wall.Seconds(), batch, time.Since(began).Seconds(), t.sealed)
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
