package lake

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"

	"golang.org/x/sync/errgroup"
)

// Commit makes the staged tables exist, beside the other tables of the partition: first their files move to their places,
// then the inventory with their manifests replaces the old one, then the files of the old manifests are removed. The
// tables become the new ones at one instant, so a process that is killed leaves all of the old ones or all of the new.
// The order protects readers: an inventory never names a file that is not in its place, and no file goes that the
// inventory in force names. Every step can be repeated, so the next process finishes what this one did not.
func (s *Staging) Commit(manifests ...*Manifest) error {
	return s.commit(manifests, func(before *Inventory) *Inventory { return before.with(manifests) })
}

// CommitAll makes the staged tables all that exists of the partition: tables that it had beside them are gone at the same
// instant, for readers must not take what was derived from another trace for this one's.
func (s *Staging) CommitAll(manifests ...*Manifest) error {
	return s.commit(manifests, func(before *Inventory) *Inventory {
		return (&Inventory{Partition: before.Partition}).with(manifests)
	})
}

// commit moves files in, replaces the inventory by the one that becomes of it, and removes the files that it has ceased to
// name. It holds the lease of the partition, of which one that the caller holds is part.
func (s *Staging) commit(manifests []*Manifest, become func(before *Inventory) *Inventory) error {
	release, err := s.lake.Lease(context.Background(), s.partition)
	if err != nil {
		return err
	}
	defer release()
	// A successor has dropped what this process staged: to say so is better than to miss a file.
	if err := s.lake.checkLease(s.lake.heldLease(s.partition)); err != nil {
		return err
	}
	// (1) The new files are in their places, and nobody looks at them yet.
	if err := s.moveAllIn(manifests); err != nil {
		return err
	}
	// After a power failure an inventory may be there only if its files are: so their names are durable first.
	if err := s.lake.storage.Sync(foldersOf(manifests)...); err != nil {
		return err
	}
	// (2) The tables become the new ones, all at one instant.
	if err := s.lake.change(s.partition, become); err != nil {
		return err
	}
	return s.Discard()
}

// foldersOf lists the folders in which the files of some tables lie, and the folders above these up to the lake, for all of
// them may be new. Inner folders stand before outer ones. They are synced together when all files are in their places: most
// file systems write the names in all of them at once, and the first one costs as much as all.
func foldersOf(manifests []*Manifest) []string {
	folders := map[string]bool{"": true}
	for _, m := range manifests {
		for _, f := range m.Files {
			for folder := path.Dir(f.Path); folder != "."; folder = path.Dir(folder) {
				folders[folder] = true
			}
		}
	}
	return slices.SortedFunc(maps.Keys(folders), func(a, b string) int { return cmp.Compare(b, a) })
}

// change replaces the inventory of a partition, whose lease this process holds, and removes the files of those tables that
// are not in it as they were. Stages of one partition commit one after the other, since each replaces the inventory that
// the one before left.
func (l *Lake) change(p Partition, become func(before *Inventory) *Inventory) error {
	l.commits.Lock()
	defer l.commits.Unlock()
	held := l.heldLease(p)
	var before, after *Inventory
	for {
		v, stamp, err := l.stampedInventory(p)
		if err != nil {
			return err
		}
		before, after = v, become(v)
		err = l.replaceInventory(held, p, stamp, after)
		if err == nil {
			break
		}
		if !errors.Is(err, ErrChanged) { // else by a holder of before: what it committed stays
			return err
		}
	}
	// What a command says to be done is there after a power failure, and files go when it is durable that no inventory names
	// them.
	if err := l.storage.Sync(InventoryFolder, ""); err != nil {
		return err
	}
	// The files of before are named by no inventory any more. The folders of tables that are new are looked at as well,
	// since a process that was killed may have left files there.
	named := after.files()
	for _, m := range slices.Concat(before.Tables, after.Tables) {
		if now := after.Table(m.Table); now == m && before.Table(m.Table) == m {
			continue // neither its files nor its manifest changed
		}
		if _, err := l.sweepPartition(held, m.Table, named); err != nil {
			return err
		}
	}
	return nil
}

// moveAllIn gives the files of some tables their names: several at a time where each costs the answer of another machine.
func (s *Staging) moveAllIn(manifests []*Manifest) error {
	var moves errgroup.Group
	moves.SetLimit(1)
	if s.lake.objects != nil {
		moves.SetLimit(16)
	}
	for _, m := range manifests {
		for _, f := range m.Files {
			moves.Go(func() error { return s.moveIn(f) })
		}
	}
	return moves.Wait()
}

// moveIn gives a staged file the name under which it exists. A file that has the name already stays, when it has the bytes:
// another process staged the same and was faster, or was killed before its inventory was there.
func (s *Staging) moveIn(f File) error {
	storage := s.lake.storage
	if s.stagedPath(f) == f.Path { // it has its name
		same, err := s.lake.compare(f.Path, f, false)
		if err == nil && !same {
			err = fmt.Errorf("%s, which was written a moment ago, is gone: run the command again", s.lake.Path(f))
		}
		return err
	}
	err := storage.Publish(s.stagedPath(f), f.Path)
	if err == nil || !errors.Is(err, fs.ErrExist) && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if same, err := s.lake.compare(f.Path, f, true); err != nil || same {
		return err // a file that cannot be read now may be whole: it stays
	}
	// What has the name is damaged, and no inventory names it, or the table would be up to date.
	if removed := storage.Remove(f.Path); removed != nil && !errors.Is(removed, fs.ErrNotExist) {
		return removed
	}
	return storage.Publish(s.stagedPath(f), f.Path)
}

// Drop removes a partition with all its tables, and what was staged for it: the inventory first, so that the files no
// longer exist when they go.
// A partition that does not exist is no error, so that a drop that was cut short can be repeated.
func (l *Lake) Drop(ctx context.Context, p Partition) error {
	release, err := l.Lease(ctx, p)
	if err != nil {
		return err
	}
	defer release()
	err = l.change(p, func(before *Inventory) *Inventory { return &Inventory{Partition: before.Partition} })
	if err != nil {
		return err
	}
	for _, folder := range []string{path.Join(workFolder, p.String()), measuredFolder(p)} {
		if err := l.storage.RemoveAll(folder); err != nil {
			return err
		}
	}
	_, err = l.sweepRest(l.heldLease(p)) // what no inventory ever named
	return err
}

// DropTables removes some tables of a partition. The others stay, also those that were made from them.
func (l *Lake) DropTables(ctx context.Context, p Partition, tables ...string) error {
	release, err := l.Lease(ctx, p)
	if err != nil {
		return err
	}
	defer release()
	return l.change(p, func(before *Inventory) *Inventory { return before.without(tables) })
}
