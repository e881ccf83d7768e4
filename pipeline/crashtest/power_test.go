package crashtest

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/tracelake/tracelake/pipeline/lake/testdata/laketest"
	"github.com/tracelake/tracelake/testdata/expect"
)

// powerLosses is how many power losses TestPowerLossOnDisk plays, over the writing commands in turn.
//
//	go test ./pipeline/crashtest -run TestPowerLossOnDisk -losses 100 -timeout 0
var powerLosses = flag.Int("losses", 4, "how many power losses TestPowerLossOnDisk plays")

// TestPowerLossOnDisk takes the power from a disk with a real file system, at random instants of a writing command and after its end. What
// the disk then has is what was written to it: the file system writes what nobody syncs only after minutes. The lake must be sound, what a
// command has done that ended must be there, and another one must do its work as if nothing had been.
func TestPowerLossOnDisk(t *testing.T) {
	if testing.Short() {
		t.Skip("a round takes a second")
	}
	t.Parallel()
	base, given := commandsLake(t)
	empty := filepath.Join(t.TempDir(), "empty.img")
	blank(t, empty)
	full := empty + ".base"
	copyImage(t, empty, full)
	disk := mounted(t, full)
	expect.OK(t, os.CopyFS(filepath.Join(disk, "lake"), os.DirFS(base)))
	unmount(t, disk)
	spans, wants := make(map[string]time.Duration), make(map[string]map[string]string)
	for n := range *powerLosses {
		w := writing[n*7%len(writing)] // 7 has no divisor in common with their number
		if w.name == "compare by tasks" {
			continue // whose tasks outlive it
		}
		args := replaced(w.args, given)
		if wants[w.name] == nil {
			undisturbed := copyLake(t, base)
			started := time.Now()
			must(t, undisturbed, args...)
			spans[w.name], wants[w.name] = time.Since(started), laketest.Hashes(t, undisturbed)
		}
		random := rand.New(rand.NewPCG(uint64(n), 2))
		after := time.Duration(random.Float64() * 1.3 * float64(spans[w.name]))
		losePower(t, full, after, w.gone, wants[w.name], args)
	}
}

// losePower plays a command on a copy of a disk, takes the power after a while, and looks at what is there when it is back.
func losePower(t *testing.T, full string, after time.Duration, gone bool, want map[string]string, args []string) {
	t.Helper()
	before, lost := full+".before", full+".lost"
	defer os.Remove(before)
	defer os.Remove(lost)
	copyImage(t, full, before)
	disk := mounted(t, before)
	c, stderr := program(filepath.Join(disk, "lake"), args...)
	expect.OK(t, c.Start())
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	done := false
	select {
	case err := <-ended:
		if done = true; err != nil {
			t.Fatalf("%q: %v\n%s", args, err, stderr)
		}
	case <-time.After(after):
		c.Process.Signal(syscall.SIGSTOP) // the image is copied between two writes
	}
	settle(t, disk)
	copyImage(t, before, lost)
	if !done {
		c.Process.Kill()
		<-ended
	}
	unmount(t, disk)
	// The power is back.
	when := fmt.Sprintf("%q, power lost after %v (ended: %v)", args, after, done)
	disk = mounted(t, lost)
	defer unmount(t, disk)
	lake := filepath.Join(disk, "lake")
	checkWhole(t, lake, when)
	if !done {
		again, stderr := program(lake, args...)
		if err := again.Run(); err != nil && !(gone && exitCode(t, err) == 2) {
			t.Errorf("%s, then again: %v\n%s", when, err, stderr)
		}
	}
	removeDatabases(t, lake) // whose rename nobody waits for: views are made again
	laketest.CheckSame(t, when, laketest.Hashes(t, lake), want)
}

// blank makes an image of an empty file system.
func blank(t *testing.T, image string) {
	t.Helper()
	expect.OK(t, os.WriteFile(image, nil, 0o666))
	expect.OK(t, os.Truncate(image, 128<<20))
	if out, err := exec.Command("mkfs.ext4", "-q", "-F", image).CombinedOutput(); err != nil {
		t.Skipf("this machine makes no file systems: %v %s", err, out)
	}
}

// mounted mounts an image. What is not synced stays in memory for as long as the file system allows.
func mounted(t *testing.T, image string) (disk string) {
	t.Helper()
	disk = filepath.Join(t.TempDir(), "disk")
	expect.OK(t, os.Mkdir(disk, 0o777))
	if out, err := exec.Command("mount", "-o", "loop,commit=3600", image, disk).CombinedOutput(); err != nil {
		t.Skipf("this machine does not let the test mount a disk: %v %s", err, out)
	}
	t.Cleanup(func() { syscall.Unmount(disk, syscall.MNT_DETACH) }) // where the test failed
	return disk
}

func unmount(t *testing.T, disk string) {
	t.Helper()
	expect.OK(t, syscall.Unmount(disk, 0))
}

// copyImage copies a disk as it is.
func copyImage(t *testing.T, from, to string) {
	t.Helper()
	if out, err := exec.Command("cp", "--sparse=always", from, to).CombinedOutput(); err != nil {
		t.Fatalf("%v %s", err, out)
	}
}

// settle waits until a disk is written to no more.
func settle(t *testing.T, disk string) {
	t.Helper()
	device := strings.TrimSpace(string(expect.Value(exec.Command("findmnt", "-n", "-o", "SOURCE", disk).Output())(t)))
	last := ""
	for quiet := 0; quiet < 3; time.Sleep(3 * time.Millisecond) {
		now := string(expect.Value(os.ReadFile(filepath.Join("/sys/block", filepath.Base(device), "stat")))(t))
		if quiet++; now != last {
			last, quiet = now, 0
		}
	}
}
