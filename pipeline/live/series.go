package live

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"

	"github.com/tracelake/tracelake/pipeline/lake"
)

// A series is the recordings of one source, one after the other. Each becomes a run of its own while the next one is recorded: NAME-0001,
// NAME-0002 and so on.
//
// A recording ends with a whole record, and the next one begins with what its records need to be understood: the header of a table, the
// registry of Kieker, remarks on modules. Its run is the one that an ingest of these bytes makes. So a call that is open at the border ends with
// the first run, and its end has no beginning in the second one: both are counted there as losses. A run in which a call neither begins nor ends
// does not know of it.

// RunOfSeries names a run of a series, counted from 1.
func RunOfSeries(series string, n int) string { return fmt.Sprintf("%s-%04d", series, n) }

var runOfSeries = regexp.MustCompile(`^(.+)-([0-9]{4,9})$`)

// SeriesOf takes the name of a run of a series apart.
func SeriesOf(run string) (series string, n int, is bool) {
	parts := runOfSeries.FindStringSubmatch(run)
	if parts == nil {
		return "", 0, false
	}
	n, _ = strconv.Atoi(parts[2])
	return parts[1], n, RunOfSeries(parts[1], n) == run
}

// InSeries are those of some runs that are of a series, in its order, and the number of the last one; 0 if there is none.
func InSeries(series string, all []string) (runs []string, last int) {
	numbers := make(map[string]int)
	for _, run := range all {
		if of, n, is := SeriesOf(run); is && of == series {
			runs = append(runs, run)
			numbers[run], last = n, max(last, n)
		}
	}
	slices.SortFunc(runs, func(a, b string) int { return numbers[a] - numbers[b] })
	return runs, last
}

// Size is how many bytes the recording of a run takes, with its view.
func Size(l *lake.Lake, run string) int64 { return taken(Folder(l, run)) }

// RunSize is how many bytes a run takes without its recording: its tables and what is staged for them, whether or not an inventory names
// it, the inventory and the leases.
func RunSize(l *lake.Lake, run string) (n int64) {
	name := lake.Run(run).String()
	for _, pattern := range []string{name, name + ".json", name + ".[0-9]*.json"} {
		found, _ := filepath.Glob(filepath.Join(l.Dir, "*", pattern)) // the pattern is sound
		for _, path := range found {
			if path != Folder(l, run) {
				n += taken(path)
			}
		}
	}
	return n
}

// taken is how many bytes the files of a folder have, or a file.
func taken(path string) (n int64) {
	filepath.WalkDir(path, func(_ string, e fs.DirEntry, err error) error {
		if err != nil { // it is taken away meanwhile
			return nil
		}
		if info, err := e.Info(); err == nil && e.Type().IsRegular() {
			n += info.Size()
		}
		return nil
	})
	return n
}

// Discard takes the recording of a run away.
func Discard(l *lake.Lake, run string) error {
	if err := os.RemoveAll(Folder(l, run)); err != nil {
		return err
	}
	os.Remove(filepath.Join(l.Dir, folder)) // if it was the last one
	return nil
}
