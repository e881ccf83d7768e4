package crashtest

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/pipeline/lake/testdata/laketest"
	"github.com/tracelake/tracelake/testdata/expect"
)

// fullDisk plays a program on a disk that has no room for its lake, then with room, in a name space of its
// own, so that the disk goes with it. $1 is the folder, $2 the ballast in KiB, the rest the program.
const fullDisk = `
disk=$1 ballast=$2; shift 2
mount -t tmpfs -o size=200m tmpfs "$disk" || exit 99
cp -r "$disk-before/." "$disk/"
head -c ${ballast}K /dev/zero > "$disk/ballast" || exit 98
"$@"; echo "code $?"
find "$disk/lake" -path '*/_work' -prune -o -type f -print | sort
rm "$disk/ballast"
"$@"; echo "code $?"
rm -rf "$disk-after"; cp -r "$disk/lake" "$disk-after"
`

// TestFullDisk checks that a program whose disk is full says so, ends with exit code 1, leaves nothing
// half-written, and does its work once there is room.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	if exec.Command("unshare", "--mount", "true").Run() != nil {
		t.Skip("this machine does not let the test mount a small disk")
	}
	path := trace(t, "3e5")
	ingested := filepath.Join(t.TempDir(), "lake")
	must(t, ingested, "ingest", "--run", "a", path)
	analyzed := copyLake(t, ingested)
	must(t, analyzed, "analyze", "run")
	for _, c := range []struct {
		before, want string
		args         []string
	}{
		{"", ingested, []string{"ingest", "--run", "a", path}},
		{ingested, analyzed, []string{"analyze", "run"}},
	} {
		for _, share := range []float64{.1, .5, .95} { // of what the program wants to write
			room := size(t, c.before) + share*(size(t, c.want)-size(t, c.before))
			ballast := strconv.Itoa(200<<10 - int(room)>>10)
			t.Run(c.args[0], func(t *testing.T) { fill(t, c.before, c.want, ballast, c.args) })
		}
	}
}

// size is how many bytes the files of a lake have.
func size(t *testing.T, lake string) (bytes float64) {
	t.Helper()
	if lake == "" {
		return 0
	}
	expect.OK(t, filepath.WalkDir(lake, func(_ string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() {
			var info fs.FileInfo
			if info, err = e.Info(); err == nil {
				bytes += float64(info.Size())
			}
		}
		if errors.Is(err, fs.ErrNotExist) { // it is taken away meanwhile
			return nil
		}
		return err
	}))
	return bytes
}

func fill(t *testing.T, before, want, ballast string, args []string) {
	t.Helper()
	disk := filepath.Join(t.TempDir(), "disk")
	for _, dir := range []string{disk, disk + "-before"} {
		expect.OK(t, os.Mkdir(dir, 0o777))
	}
	if before != "" {
		expect.OK(t, os.CopyFS(filepath.Join(disk+"-before", "lake"), os.DirFS(before)))
	}
	shell := []string{"--mount", "sh", "-c", fullDisk, "sh", disk, ballast, filepath.Join(home, args[0])}
	c := exec.Command("unshare", append(append(shell, args[1:]...), "--lake", filepath.Join(disk, "lake"))...)
	var stdout, stderr bytes.Buffer
	c.Stdout, c.Stderr = &stdout, &stderr
	if err := c.Run(); err != nil {
		if exitCode(t, err) == 99 {
			t.Skip("this machine does not let the test mount a small disk")
		}
		t.Fatalf("%v\n%s", err, &stderr)
	}
	first, then, _ := strings.Cut(stdout.String(), "\n")
	if first != "code 1" || !strings.HasSuffix(then, "code 0\n") {
		t.Fatalf("on the full disk %s, then:\n%s\n%s", first, then, &stderr)
	}
	if !strings.Contains(stderr.String(), args[0]+": ") || !strings.Contains(strings.ToLower(stderr.String()), "no space left on device") {
		t.Errorf("it says %q", &stderr)
	}
	if before == "" && strings.Contains(then, ".parquet") {
		t.Errorf("tables on the full disk:\n%s", then)
	}
	laketest.CheckSame(t, "after the full disk", laketest.Hashes(t, disk+"-after"), laketest.Hashes(t, want))
}
