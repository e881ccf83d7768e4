package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// outageAtMost is for how long after its end a server that is started again may be missed.
const outageAtMost = 10 * time.Second

// serve starts the server at an address, and is admitted to it.
func (t *trial) serve(listen string) error {
	c := exec.Command(filepath.Join(t.bin, "analyze"), "--lake", t.lake, "serve", "--listen", listen)
	c.Stderr = t.out
	served, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		return err
	}
	t.mu.Lock()
	t.server = c
	t.mu.Unlock()
	line, err := bufio.NewReader(served).ReadString('\n')
	if err != nil {
		return fmt.Errorf("analyze serve: %w", err)
	}
	visit := strings.TrimSpace(line)
	client := &http.Client{Transport: new(admitted)}
	r, err := client.Get(visit)
	if err != nil {
		return err
	}
	r.Body.Close()
	t.mu.Lock()
	defer t.mu.Unlock()
	t.visit, t.admitted = visit, client
	t.address, _, _ = strings.Cut(visit, "/?")
	return nil
}

// restart kills the server in the middle of the time, and starts it again where it was.
func (t *trial) restart(ctx context.Context) error {
	select {
	case <-time.After(t.length / 2):
	case <-ctx.Done():
		return nil
	}
	t.mu.Lock()
	t.killed = time.Now()
	t.spent = cpu(t.server)
	t.mu.Unlock()
	if err := t.server.Process.Kill(); err != nil {
		return err
	}
	var ended *exec.ExitError
	if err := t.server.Wait(); !errors.As(err, &ended) {
		return fmt.Errorf("the server that is killed: %v", err)
	}
	return t.serve(strings.TrimPrefix(t.address, "http://"))
}

// outage reports whether what was asked of the server at a time may have no answer, since it is started again.
func (t *trial) outage(asked time.Time) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return !t.killed.IsZero() && asked.Before(t.killed.Add(outageAtMost))
}

// client is one that the server admits.
func (t *trial) client() *http.Client {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.admitted
}
