package memory

import (
	"errors"
	"os"
	"os/exec"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/tracelake/tracelake/testdata/expect"
)

// TestExceeded checks what is said and that what is to be raised is round, and enough for what is known to be needed.
func TestExceeded(t *testing.T) {
	for _, c := range []struct {
		err  ExceededError
		want string
	}{
		{ExceededError{Budget: 256 << 20}, "names of functions and components, open calls, or what is compared need more memory than --memory 256MiB: raise it to 512MiB or more; the lake is sound"},
		{ExceededError{"7 names", 1 << 30, 2_500_000_000}, "7 names need more memory than --memory 1GiB: raise it to 2432MiB or more; the lake is sound"},
	} {
		expect.Equal(t, c.err.Error(), c.want, "the sentence")
	}
}

// taking says, in the environment of this program, what a process takes that TestWatch starts.
const taking = "TRACELAKE_TEST_TAKING"

func TestMain(m *testing.M) {
	if what := os.Getenv(taking); what != "" {
		take(what)
	}
	os.Exit(m.Run())
}

// take fills memory under a budget of 128 MiB: with what it needs, and says that it was asked to stop; with what it needs, and does not
// hear that; with what it gives up when it is asked to; or with garbage.
func take(what string) {
	stopped, eased := make(chan error, 1), make(chan error, 1)
	ease := func(error) {}
	if what == "gives up" {
		ease = func(err error) { eased <- err }
	}
	Watch("prog", 128<<20, ease, func(err error) { stopped <- err })
	var kept [][]byte
	for range 1600 {
		next := make([]byte, 128<<10)
		for i := range next {
			next[i] = byte(i)
		}
		if what == "garbage" {
			time.Sleep(time.Millisecond / 8)
		} else if kept = append(kept, next); resident() > 127<<20 {
			time.Sleep(50 * time.Millisecond) // so that it is asked before it is ended, on a slow machine and under the race detector, too
		}
		select {
		case <-eased:
			kept = nil
			debug.FreeOSMemory()
		case err := <-stopped:
			if what == "needs" {
				os.Stdout.WriteString("asked: " + err.Error())
				os.Exit(len(kept) / 2000)
			}
		default:
		}
	}
	os.Stdout.WriteString("done")
	os.Exit(0)
}

// TestWatch checks that a process is asked to stop where it needs more than its budget, is ended where it does not hear that, and goes on where it
// gives up what it needs when it is asked to, and is left alone where all that it takes is garbage.
func TestWatch(t *testing.T) {
	if resident() == 0 {
		t.Skip("this system does not say what a process has resident")
	}
	sentence := (&ExceededError{Budget: 128 << 20}).Error()
	for _, c := range []struct {
		what, stdout, stderr string
		code                 int
	}{
		{"needs", "asked: " + sentence, "", 0},
		{"needs, deaf", "", "prog: " + sentence + "\n", 1},
		{"garbage", "done", "", 0},
		{"gives up", "done", "", 0},
	} {
		child := exec.Command(os.Args[0])
		child.Env = append(os.Environ(), taking+"="+c.what, "GORACE=atexit_sleep_ms=0") // the race detector would have it live on for a second
		var stdout, stderr strings.Builder
		child.Stdout, child.Stderr = &stdout, &stderr
		err := child.Run()
		if exit := new(exec.ExitError); err != nil && !errors.As(err, &exit) {
			t.Fatal(err)
		}
		expect.Equal(t, child.ProcessState.ExitCode(), c.code, "%s: exit code", c.what)
		expect.Equal(t, stdout.String(), c.stdout, "%s: what it says", c.what)
		expect.Equal(t, stderr.String(), c.stderr, "%s: what it says of its end", c.what)
	}
}

// TestUnmap checks that a process gives pages of its program back, and works on.
func TestUnmap(t *testing.T) {
	program := mappingsOfProgram()
	if len(program) == 0 {
		t.Skip("this system does not say where a program lies in memory")
	}
	before := resident()
	program.unmap()
	if after := resident(); after >= before {
		t.Errorf("%d bytes are resident after unmapping, and %d were before", after, before)
	}
	expect.Deep(t, mappingsOfProgram(), program, "the mappings afterwards")
}
