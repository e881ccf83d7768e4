package executors

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

// Program is a Launch by a program of the site. It gets the run, the stage and the numbers of the tasks as arguments, and the rest as
// variables of its environment (see Variables). Its output goes to out. A program that is not there or may not be run never will be: that
// is final. Its exit codes are not: ssh has that of a command not found where one host of many lacks it.
func Program(path string, out io.Writer) Launch {
	return func(ctx context.Context, w Work) error {
		c := command(ctx, out, path, w.Run, w.Stage, FormatTasks(w.Tasks))
		c.Env = append(os.Environ(), w.Variables()...)
		err := c.Run()
		if errors.Is(err, exec.ErrNotFound) || errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
			return &FinalError{fmt.Errorf("--executor exec:%s: it cannot be started: %w", path, err)}
		}
		return err
	}
}

// Variables are what a program that starts the processes finds in its environment, beside its arguments.
func (w *Work) Variables() []string {
	return []string{
		"TRACELAKE_LAKE=" + w.Lake,
		"TRACELAKE_RUN=" + w.Run,
		"TRACELAKE_STAGE=" + w.Stage,
		"TRACELAKE_FINGERPRINT=" + w.Fingerprint,
		"TRACELAKE_TASKS=" + FormatTasks(w.Tasks),
		fmt.Sprintf("TRACELAKE_COUNT=%d", len(w.Tasks)),
		fmt.Sprintf("TRACELAKE_BYTES=%d", w.Bytes),
	}
}

// patienceOfEnd is how long a program may take to end its processes when it is asked to.
const patienceOfEnd = 10 * time.Second

// command is a program that is asked to end, and at last killed, with all that it started when ctx ends.
func command(ctx context.Context, out io.Writer, name string, args ...string) *exec.Cmd {
	c := exec.CommandContext(ctx, name, args...)
	c.Stdout, c.Stderr = out, out
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGTERM) }
	c.WaitDelay = patienceOfEnd
	return c
}

// outputOf runs a program of an engine and returns what it printed, in lines.
func outputOf(ctx context.Context, name string, args ...string) ([]string, error) {
	text, err := exec.CommandContext(ctx, name, args...).Output()
	if failed, is := err.(*exec.ExitError); is && len(failed.Stderr) > 0 {
		err = fmt.Errorf("%s: %s", name, strings.TrimSpace(string(failed.Stderr)))
	}
	return strings.FieldsFunc(string(text), func(r rune) bool { return r == '\n' }), err
}
