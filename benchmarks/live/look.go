package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// look asks for moments that have passed, now and then, and looks how much memory and disk is taken.
func (t *trial) look(ctx context.Context) error {
	measured := time.Now()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(500 * time.Millisecond):
		}
		t.mu.Lock()
		for i, c := range []*exec.Cmd{t.recorder, t.server} {
			t.most[i] = max(t.most[i], status(c, "VmRSS:"))
		}
		t.mu.Unlock()
		if time.Since(measured) > 5*time.Second {
			measured = time.Now()
			t.disk = max(t.disk, taken(t.lake))
		}
		began := time.Now()
		f, err := t.frame("interval=1000000000")
		if err == nil && f.NowNs > 0 {
			began = time.Now()
			_, err = t.frame(fmt.Sprintf("at=%d&interval=%d", rand.Int64N(f.NowNs), 1+rand.Int64N(f.NowNs)))
		}
		switch {
		case err == nil:
			t.moments = append(t.moments, ms(time.Since(began)))
		case ctx.Err() == nil && !t.outage(began):
			return err
		}
	}
}

func (t *trial) frame(sight string) (f seen, err error) {
	a, err := t.client().Get(t.address + "/api/live/x/frame?" + sight)
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

// taken is how much of the disk a folder takes. What is taken away meanwhile counts as nothing.
func taken(dir string) (n int64) {
	filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			if info, err := d.Info(); err == nil {
				n += info.Size()
			}
		}
		return nil
	})
	return n
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
