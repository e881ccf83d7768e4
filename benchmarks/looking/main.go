// Command looking looks at a run of a lake through analyze serve as a reader does, at random windows of five lengths, and says when the server had
// printed its address, how much memory it took at most, and how much CPU time.
//
//	looking -analyze bin/analyze -lake LAKE -run base -windows 120
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/tracelake/tracelake/benchmarks/program"
)

func main() { program.Main("looking", run) }

// parts are the lengths of windows, as parts of a run.
var parts = [...]int64{1, 10, 100, 1_000, 1_000_000}

// run starts the server, looks, and ends it.
func run(ctx context.Context, stdout, stderr io.Writer, args []string) error {
	f := program.NewFlags("looking", "-lake LAKE -run RUN", stderr)
	analyze := f.String("analyze", "bin/analyze", "the program")
	lake := f.String("lake", "lake", "the lake")
	name := f.String("run", "base", "the run")
	windows := f.Int("windows", 120, "how many windows of up to 40 lanes, with their messages")
	all := f.Int("all", 30, "how many windows of all lanes, collapsed")
	if err := f.Parse(args); err != nil {
		return err
	}
	server := exec.CommandContext(ctx, *analyze, "--lake", *lake, "serve", "--quiet")
	server.Stderr = stderr
	server.Cancel = func() error { return server.Process.Signal(os.Interrupt) }
	out, err := server.StdoutPipe()
	begun := time.Now()
	if err == nil {
		err = server.Start()
	}
	if err != nil {
		return err
	}
	address, err := bufio.NewReader(out).ReadString('\n')
	started := time.Since(begun)
	looked := err
	if err == nil {
		looked = look(strings.TrimSpace(address), *name, *windows, *all)
	}
	peak, err := peakOf(server.Process.Pid)
	err = errors.Join(looked, err, server.Process.Signal(os.Interrupt))
	server.Wait() // it is interrupted
	if err == nil {
		s := server.ProcessState
		fmt.Fprintf(stdout, "the address after %d ms\n%d windows and %d of all lanes: at most %d MB, %.1f CPU-s\n", started.Milliseconds(), *windows, *all, peak*1024/1e6, (s.UserTime() + s.SystemTime()).Seconds())
	}
	return err
}

// look asks for windows at the address that the server printed.
func look(address, name string, windows, all int) error {
	at, err := url.Parse(address)
	if err != nil {
		return err
	}
	jar, err := cookiejar.New(nil)
	if err != nil {
		return err
	}
	client := &http.Client{Jar: jar}
	get := func(path string) ([]byte, error) {
		r, err := client.Get("http://" + at.Host + path)
		if err != nil {
			return nil, err
		}
		defer r.Body.Close()
		body, err := io.ReadAll(r.Body)
		if err == nil && r.StatusCode != http.StatusOK {
			err = fmt.Errorf("%s: %s: %s", path, r.Status, body)
		}
		return body, err
	}
	if _, err := get("/?" + at.RawQuery); err != nil {
		return err
	}
	body, err := get("/api/run/" + url.PathEscape(name) + "/lanes")
	if err != nil {
		return err
	}
	var described struct {
		DurationNs int64 `json:"duration_ns"`
		Lanes      []any `json:"lanes"`
	}
	if err := json.Unmarshal(body, &described); err != nil {
		return err
	}
	random := rand.New(rand.NewPCG(1, 16))
	for i := range windows + all {
		span := max(1, described.DurationNs/parts[i%len(parts)])
		from := random.Int64N(max(1, described.DurationNs-span+1))
		lanes, depths := min(40, len(described.Lanes)), 64
		if i >= windows {
			lanes, depths = len(described.Lanes), 1
		}
		ask := fmt.Sprintf("from=%d&to=%d&pixels=1600&depths=%d&lanes=0-%d&most=1500", from, from+span, depths, lanes-1)
		for _, what := range []string{"window?packed=1&", "messages?"} {
			if i >= windows && what == "messages?" {
				continue
			}
			if _, err := get("/api/run/" + url.PathEscape(name) + "/" + what + ask); err != nil {
				return err
			}
		}
	}
	return nil
}

// peakOf is the greatest memory that a process had so far, in kB.
func peakOf(pid int) (kb int64, err error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, err
	}
	_, rest, found := strings.Cut(string(text), "VmHWM:")
	if !found {
		return 0, fmt.Errorf("process %d has no VmHWM", pid)
	}
	_, err = fmt.Sscan(rest, &kb)
	return kb, err
}
