package rawlog

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/testdata/readertest"
	"github.com/tracelake/tracelake/testdata/expect"
)

// slowed calls work and twin, which do the same, in turn, jumps out of a call, and naps.
const slowed = `#include <setjmp.h>
static volatile unsigned x;
static jmp_buf out;
void work(void) { for (int i = 0; i < 4000; i++) x = x * 1664525 + 1; }
void twin(void) { for (int i = 0; i < 4000; i++) x = x * 1664525 + 1; }
void nap(void) { x++; }
void leap(void) { longjmp(out, 1); }
void outer(void) { for (int i = 0; i < 100; i++) { work(); twin(); } if (!setjmp(out)) leap(); }
int main(void) { for (int i = 0; i < 3; i++) outer(); for (int i = 0; i < 5; i++) nap(); return 0; }
`

// buildPlanted compiles the program with the recorder that makes functions slower as rows of TRACELAKE_PLANTS say.
func buildPlanted(t *testing.T, rows string) *exec.Cmd {
	t.Helper()
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("gcc is not installed: the recorder was not compiled and not tried")
	}
	dir := t.TempDir()
	source := "#define TRACELAKE_PLANTS " + rows + "\n"
	for _, name := range []string{"tracelake_plant.c", "tracelake_recorder.c"} {
		source += string(expect.Value(os.ReadFile(filepath.Join(filepath.Dir(recorder), name)))(t))
	}
	expect.OK(t, os.WriteFile(filepath.Join(dir, "recorder.c"), []byte(source), 0o666))
	expect.OK(t, os.WriteFile(filepath.Join(dir, "slowed.c"), []byte(slowed), 0o666))
	for _, args := range [][]string{
		{"-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-o", "recorder.so", "recorder.c"},
		{"-g", "-O1", "-fno-inline", "-finstrument-functions", "-o", "prog", "slowed.c"},
	} {
		c := exec.Command(gcc, args...)
		c.Dir = dir
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("gcc %v: %v: %s", args, err, out)
		}
	}
	run := exec.Command("./prog")
	run.Dir = dir
	run.Env = append(os.Environ(), "TRACELAKE_LOG=run.raw", "LD_PRELOAD="+filepath.Join(dir, "recorder.so"))
	return run
}

// ownTimes returns the own times of the calls of every function in ns, in ascending order. Calls that were jumped out of do not end.
func ownTimes(events []event) map[string][]int64 {
	type open struct {
		function       string
		entered, inner int64
	}
	own := make(map[string][]int64)
	var stack []open
	for _, e := range events {
		if e.Key.Kind == schema.Enter {
			stack = append(stack, open{e.Key.Function, e.Ns, 0})
			continue
		}
		for stack[len(stack)-1].function != e.Key.Function {
			stack = stack[:len(stack)-1]
		}
		of := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		own[of.function] = append(own[of.function], e.Ns-of.entered-of.inner)
		if n := len(stack); n > 0 {
			stack[n-1].inner += e.Ns - of.entered
		}
	}
	for _, ns := range own {
		slices.Sort(ns)
	}
	return own
}

// What is planted is added to the own time of the function, and to that of no other one: work takes ten times as long as its twin. Lower
// quartiles are compared, of calls in turn, so that a machine that is busy with other things makes no difference.
func TestPlantedTimes(t *testing.T) {
	run := buildPlanted(t, `{"work", 9, 0}, {"nap", 0, 2000000}`)
	if out, err := run.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	events, ledger := recorded(t, filepath.Join(run.Dir, "run.raw"), filepath.Join(run.Dir, "prog"))
	own := ownTimes(events)
	if len(own["work"]) != 300 || len(own["twin"]) != 300 || len(own["outer"]) != 3 || len(own["nap"]) != 5 || len(own["leap"]) != 0 {
		t.Fatalf("%d calls of work, %d of outer, %s", len(own["work"]), len(own["outer"]), readertest.Losses(ledger))
	}
	if ratio := float64(own["work"][75]) / float64(own["twin"][75]); ratio < 8 || ratio > 12 {
		t.Errorf("a call that is busy nine times its own time longer takes %.2f times as long", ratio)
	}
	if own["nap"][0] < 2_000_000 {
		t.Errorf("a call that sleeps 2 ms takes %d ns", own["nap"][0])
	}
}

// A function that the program does not have ends the program with its name: a recording would not hold what its name says.
func TestPlantedNowhere(t *testing.T) {
	run := buildPlanted(t, `{"wrok", .2, 0}`)
	out, err := run.CombinedOutput()
	if err == nil || !strings.Contains(string(out), "no function wrok") {
		t.Errorf("%v: %s", err, out)
	}
}
