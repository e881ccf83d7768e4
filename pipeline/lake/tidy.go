package lake

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/tracelake/tracelake/pipeline/process"
)

// sweepPartition removes the files of a table's partition that its inventory does not name, and counts them.
// Files are listed, not remembered, so that it also finds those of a process that was killed. The caller holds the lease: to
// anybody else, files of a commit under way look left behind.
func (l *Lake) sweepPartition(held *lease, table string, named map[string]bool) (removed int, err error) {
	root := path.Join(table, held.partition.String())
	if removed, err = l.sweepFolder(held, root, named); err != nil {
		return removed, err
	}
	return removed, l.storage.Prune(root)
}

// sweepFolder removes the files in a folder and its sub-folders that are not named.
// The first error ends it, such as that the lease is lost. What is left is found again by the next sweep.
func (l *Lake) sweepFolder(held *lease, folder string, named map[string]bool) (removed int, err error) {
	names, err := l.storage.List(folder)
	for _, name := range names {
		at, below := path.Join(folder, name), 0
		switch {
		case err != nil:
		case strings.HasSuffix(name, "/"):
			below, err = l.sweepFolder(held, at, named)
		case !named[at] && !l.spares(held, at):
			if err = l.checkLease(held); err == nil {
				below, err = 1, unlessGone(l.storage.Remove(at))
			}
		}
		removed += below
	}
	return removed, err
}

// spared is how long objects stay that no inventory names, when a lake is tidied: as long as the process that wrote them may be about to
// commit them, whoever holds the lease. See lease.go.
const spared = time.Hour

// spares reports whether a file stays although no inventory names it.
func (l *Lake) spares(held *lease, name string) bool {
	if l.objects == nil || !held.tidying {
		return false
	}
	changed, err := l.storage.Changed(name)
	return err != nil || time.Since(changed) < spared
}

// sweepRest removes all files of a partition that its inventory does not name, whichever table they lie under, and what
// ended attempts staged. The caller holds the lease of the partition.
func (l *Lake) sweepRest(held *lease) (removed int, err error) {
	p := held.partition
	v, err := l.Inventory(p)
	if err != nil {
		return 0, err
	}
	named := v.files()
	tables, err := l.tableFolders()
	for _, table := range tables {
		var n int
		if err == nil {
			n, err = l.sweepPartition(held, table, named)
		}
		removed += n
	}
	if err != nil {
		return removed, err
	}
	work := path.Join(workFolder, p.String())
	staged, err := l.storage.List(work)
	for _, name := range staged {
		if err == nil {
			err = l.staging(p, "", path.Join(work, name)).sweepAttempts()
		}
	}
	return removed, err
}

// tableFolders lists the folders in which tables lie, whether they exist or not.
func (l *Lake) tableFolders() (tables []string, err error) {
	names, err := l.storage.List("")
	for _, name := range names {
		if folder, is := strings.CutSuffix(name, "/"); is && !strings.HasPrefix(folder, "_") && !strings.HasPrefix(folder, ".") {
			tables = append(tables, folder)
		}
	}
	return tables, err
}

// Tidied is what Tidy did.
type Tidied struct {
	Files int          // that were removed
	Busy  []*BusyError // of partitions that were left alone, since other processes are changing them
}

// Tidy removes what killed processes left behind in a whole lake: files that no inventory names, half-written files and
// databases. Whoever takes over the lease of a killed process does so for one partition; Tidy finds the others, too.
// Staged work stays, for the stage that continues it. It needs as long as to list all files.
func (l *Lake) Tidy(ctx context.Context) (*Tidied, error) {
	partitions, err := l.traces()
	if err != nil {
		return nil, err
	}
	t := new(Tidied)
	for _, p := range partitions {
		if err := ctx.Err(); err != nil {
			return t, err
		}
		release, err := l.tryLease(p)
		if busy := new(BusyError); errors.As(err, &busy) {
			t.Busy = append(t.Busy, busy)
			continue
		}
		if err != nil {
			return t, err
		}
		held := l.heldLease(p)
		held.tidying = true
		n, err := l.sweepRest(held)
		if err == nil {
			err = l.removeCommits(held)
		}
		release()
		t.Files += n
		if err != nil {
			return t, err
		}
	}
	n, err := l.sweepOwn()
	t.Files += n
	return t, err
}

// Remains reports whether files of a partition are there that nobody can see, as a drop of it was interrupted. Dropping it once more removes
// them.
func (l *Lake) Remains(p Partition) (bool, error) {
	all, err := l.traces()
	if err != nil || !slices.Contains(all, p) {
		return false, err
	}
	v, err := l.Inventory(p)
	return err == nil && len(v.Tables) == 0, err
}

// traces lists all partitions of which anything is there: an inventory, a file, staged work or a lease.
func (l *Lake) traces() ([]Partition, error) {
	all, err := l.allPartitions()
	if err != nil {
		return nil, err
	}
	folders, err := l.tableFolders()
	if err != nil {
		return nil, err
	}
	for _, folder := range append(folders, workFolder, leasesFolder) {
		names, err := l.storage.List(folder)
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			name = strings.TrimSuffix(name, "/")
			if folder == leasesFolder {
				name = leasedPartition(name)
			}
			if p, is := parsePartition(name); is && !slices.Contains(all, p) && nameRule.MatchString(p.Name) {
				all = append(all, p)
			}
		}
	}
	return all, nil
}

// sweepOwn removes half-written files of the lake itself, whose writers have ended, and what lakes of format 2 had.
func (l *Lake) sweepOwn() (removed int, err error) {
	for _, folder := range []string{"", InventoryFolder, leasesFolder} {
		names, err := l.storage.List(folder)
		if err != nil {
			return removed, err
		}
		for _, name := range names {
			if !leftBehind(folder, name) {
				continue
			}
			if strings.HasSuffix(name, "/") {
				err = l.storage.RemoveAll(path.Join(folder, name))
			} else {
				err = l.storage.Remove(path.Join(folder, name))
			}
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return removed, err
			}
			removed++
		}
	}
	return removed, nil
}

// leftBehind reports whether a file or folder of the lake's own is of no use to anybody.
func leftBehind(folder, name string) bool {
	switch {
	case folder == "" && (name == "_lock" || strings.HasPrefix(name, ".tracelake-")):
		return true
	case folder == InventoryFolder && strings.HasSuffix(name, "/"): // manifests of format 2
		return true
	case !strings.HasSuffix(name, process.BesideEnding):
		return false
	}
	by, known := process.WriterBeside(name)
	return !known || by.Ended()
}
