package console

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"github.com/tracelake/tracelake/pipeline/process"
	"github.com/tracelake/tracelake/testdata/expect"
)

// TestBytes checks which sizes are understood, and that a size is written as it can be read.
func TestBytes(t *testing.T) {
	for text, want := range map[string]Bytes{
		"0": 0, "1": 1, "1024": 1 << 10, "512MiB": 512 << 20, "4GiB": 4 << 30, "2GB": 2e9, "1.5KiB": 1536, "7 TB": 7e12, "1B": 1,
	} {
		var b, again Bytes
		if err := b.Set(text); err != nil || b != want {
			t.Errorf("%s is %d, %v; want %d", text, b, err, want)
		}
		if err := again.Set(b.String()); err != nil || again != b {
			t.Errorf("%d is written %s and read %d, %v", b, b, again, err)
		}
	}
	for _, text := range []string{"", "GiB", "-1", "-1GiB", "lots", "1PiB", "NaN", "Inf", "1e30", "9999999TiB", "4GiBs"} {
		b := Bytes(7)
		if err := b.Set(text); err == nil || b != 7 {
			t.Errorf("%s is %d bytes", text, b)
		}
	}
}

// TestReport checks which error means which exit code, and what is said.
func TestReport(t *testing.T) {
	for _, c := range []struct {
		err  error
		code int
		said string
	}{
		{nil, OK, ""},
		{errors.New("broken"), Failed, "prog: broken\n"},
		{Usagef("--x %q: no", "y"), Usage, "prog: --x \"y\": no\n"},
		{fmt.Errorf("outer: %w", Usagef("inner")), Usage, "prog: outer: inner\n"},
		{Exit(Changed), Changed, ""},
		{fmt.Errorf("stage: %w", context.Canceled), Failed, "prog: interrupted; the lake is sound, run the same command to go on\n"},
	} {
		var said strings.Builder
		if code := Report("prog", c.err, &said); code != c.code || said.String() != c.said {
			t.Errorf("%v: code %d, %q; want %d, %q", c.err, code, said.String(), c.code, c.said)
		}
	}
}

// TestFlagError checks that a wrong flag is wrong usage, in a sub-command too.
func TestFlagError(t *testing.T) {
	for _, args := range [][]string{{"--nonsense"}, {"sub", "--nonsense"}, {"sub", "--memory", "x"}, {"sub", "--jobs"}} {
		var g Globals
		c := &cobra.Command{Use: "prog", SilenceErrors: true, SilenceUsage: true, Run: func(*cobra.Command, []string) {}}
		c.AddCommand(&cobra.Command{Use: "sub", Run: func(*cobra.Command, []string) {}})
		g.AddFlags(c)
		c.SetArgs(args)
		c.SetOut(io.Discard)
		expect.Equal(t, Report("prog", c.Execute(), io.Discard), Usage, "%q: exit code", args)
	}
}

// TestLogger checks the three ways to log.
func TestLogger(t *testing.T) {
	for _, c := range []struct {
		globals Globals
		want    string
	}{
		{Globals{LogFormat: "text"}, "stage run=a rows=3\n"},
		{Globals{LogFormat: "text", Quiet: true}, ""},
		{Globals{LogFormat: "json"}, `"msg":"stage","run":"a","rows":3}` + "\n"},
	} {
		var out bytes.Buffer
		c.globals.Logger(&out).Info("stage", "run", "a", "rows", 3)
		if !strings.HasSuffix(out.String(), c.want) || c.want == "" && out.Len() > 0 {
			t.Errorf("%+v: %q, want %q", c.globals, out.String(), c.want)
		}
	}
}

// TestNoProgress checks that a meter counts and that nothing is shown where there is no terminal.
func TestNoProgress(t *testing.T) {
	var out bytes.Buffer
	m, done := new(Globals).Progress(&out, "work", false)
	m.Expect(10)
	m.Advance(3)
	done()
	if n, of := m.Read(); n != 3 || of != 10 || out.Len() > 0 {
		t.Errorf("%d of %d, and %q is shown", n, of, out.String())
	}
}

// TestGrace checks that a command that does not hear of an interrupt is left where it is, and that one that lingers is not.
// Neither leaves temporary files: not among those of the system, and not where a result was to be.
func TestGrace(t *testing.T) {
	switch os.Getenv("GRACE") {
	case "deaf", "lingers":
		os.Exit(Main("prog", func(ctx context.Context, _ []string, _ io.Reader, _, _ io.Writer) error {
			if os.Getenv("GRACE") == "lingers" {
				Linger(ctx)
			}
			dir := must(process.Folder("spill"))
			os.WriteFile(filepath.Join(dir, "spilled"), nil, 0o600)
			must(Create(filepath.Join(os.TempDir(), "result")))
			syscall.Kill(os.Getpid(), syscall.SIGINT)
			time.Sleep(3 * time.Second)
			return Exit(Changed)
		}))
	}
	for what, c := range map[string]struct {
		code int
		said string
	}{
		"deaf":    {Failed, "prog: interrupted; the lake is sound, run the same command to go on\n"},
		"lingers": {Changed, ""},
	} {
		var said strings.Builder
		p := exec.Command(os.Args[0], "-test.run=^TestGrace$")
		temporary := t.TempDir()
		p.Env, p.Stderr = append(os.Environ(), "GRACE="+what, "TMPDIR="+temporary), &said
		p.Run()
		if code := p.ProcessState.ExitCode(); code != c.code || said.String() != c.said {
			t.Errorf("%s: code %d, %q; want %d, %q", what, code, said.String(), c.code, c.said)
		}
		if left, err := os.ReadDir(temporary); err != nil || len(left) > 0 {
			t.Errorf("%s: it leaves %v, %v", what, left, err)
		}
	}
}

// must is for a process that a test started.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// TestInterruptible checks that an input passes through whole, and that the end of the context ends a wait.
func TestInterruptible(t *testing.T) {
	text := strings.Repeat("line\n", 1<<20)
	got, err := io.ReadAll(&interruptible{ctx: t.Context(), in: strings.NewReader(text)})
	if err != nil || string(got) != text {
		t.Errorf("%d bytes of %d, %v", len(got), len(text), err)
	}
	silent, writer, err := os.Pipe()
	expect.OK(t, err)
	defer silent.Close()
	defer writer.Close()
	ctx, cancel := context.WithCancel(t.Context())
	context.AfterFunc(t.Context(), cancel)
	in := &interruptible{ctx: ctx, in: silent}
	ended := make(chan error)
	go func() {
		_, err := in.Read(make([]byte, 1))
		ended <- err
	}()
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
