package executors

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/tracelake/tracelake/pipeline/workers"
)

// Allocation asks Slurm for nodes, and runs a command line there: as one job, or as an array of jobs each of which does a part.
type Allocation struct {
	Nodes    int      // of the job; an element of an array has one
	Elements int      // of the array; 0: no array
	Args     []string // the command line, whose program is at the same path on every node
	Log      string   // a file on a disk that the nodes share, for what the job prints; it is there only meanwhile
	Sbatch   string   // the name of Slurm's program
	Scancel  string   // the name of Slurm's program
}

// lookAgain is how often what a job printed is looked for.
const lookAgain = 200 * time.Millisecond

// Run submits the job, copies what it prints to out, and returns its exit code, or the greatest of an array's elements. When ctx ends the job
// is cancelled.
func (a *Allocation) Run(ctx context.Context, out io.Writer) (exit int, err error) {
	args := []string{"--parsable", "--wait", "--requeue", "--open-mode=append", "--output=" + a.Log, "--job-name=analyze"}
	if a.Elements > 0 {
		args = append(args, fmt.Sprintf("--array=0-%d", a.Elements-1), "--nodes=1")
	} else {
		args = append(args, fmt.Sprintf("--nodes=%d", a.Nodes), "--exclusive", "--no-kill")
	}
	c := exec.CommandContext(ctx, a.Sbatch, args...)
	c.Stdin = strings.NewReader("#!/bin/sh\nexec " + quoted(a.Args) + "\n")
	job, said := new(shared), new(shared)
	c.Stdout, c.Stderr = job, said
	c.Cancel = func() error {
		number, _, _ := strings.Cut(job.String(), ";") // the name of the cluster may follow
		return exec.Command(a.Scancel, strings.TrimSpace(number)).Run()
	}
	c.WaitDelay = patienceOfEnd
	log, err := os.Create(a.Log)
	if err != nil {
		return 0, err
	}
	defer os.Remove(a.Log)
	defer log.Close()
	ended := make(chan struct{})
	var group workers.Group
	group.Go(func() error {
		defer close(ended)
		return c.Run()
	})
	copied := follow(log, out, ended)
	err = group.Wait()
	failed := new(exec.ExitError)
	switch {
	case ctx.Err() != nil:
		return 0, ctx.Err()
	case job.String() == "":
		return 0, fmt.Errorf("%s took no job: %s %w", a.Sbatch, strings.TrimSpace(said.String()), err)
	case errors.As(err, &failed) && copied == nil:
		return failed.ExitCode(), nil
	}
	return 0, errors.Join(err, copied)
}

// follow copies a file that grows until its writers have ended, and then what they wrote last.
func follow(log io.Reader, out io.Writer, ended <-chan struct{}) error {
	for {
		select {
		case <-ended:
			_, err := io.Copy(out, log)
			return err
		case <-time.After(lookAgain):
			if _, err := io.Copy(out, log); err != nil {
				return err
			}
		}
	}
}

// quoted writes a command line for a shell.
func quoted(args []string) string {
	var words []string
	for _, a := range args {
		words = append(words, "'"+strings.ReplaceAll(a, "'", `'\''`)+"'")
	}
	return strings.Join(words, " ")
}

// shared is a text that one goroutine writes and others read.
type shared struct {
	mu   sync.Mutex
	text strings.Builder
}

// Write implements io.Writer.
func (s *shared) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(p)
}

// String returns what was written so far.
func (s *shared) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}
