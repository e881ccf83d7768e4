package lake

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
)

// oldFormatError is the error of a lake of an earlier format.
type oldFormatError struct {
	dir    string
	format int
}

// Error implements error, and says what to do.
func (e *oldFormatError) Error() string {
	if e.format >= upgradable {
		return fmt.Sprintf("%s has lake format %d; this program makes format %d: bring the lake to it with analyze tidy, after all other programs have finished", e.dir, e.format, FormatVersion)
	}
	return fmt.Sprintf("%s has lake format %d; this program makes format %d, which keeps more of a trace: ingest the traces into a new folder", e.dir, e.format, FormatVersion)
}

// upgradable is the first format that can be brought to the present one, since it keeps the same of a trace.
const upgradable = 2

// manifest2 is a manifest as format 2 had one for each table of a partition, in _manifests/<table>/<partition>.json.
type manifest2 struct {
	Manifest
	Partition string `json:"partition"`
}

// Upgrade brings a lake of format 2 to 4 to the present format, and reports whether there was something to do. The tables stay as
// they are, until a stage makes them anew: only what lists them is written. It can be repeated when it was cut short, and until its last step
// programs of format 2 find the lake as it was. Such programs must not write meanwhile.
func Upgrade(ctx context.Context, dir string) (bool, error) {
	_, err := Open(dir, false)
	old := new(oldFormatError)
	if !errors.As(err, &old) || old.format < upgradable {
		return false, err
	}
	l := &Lake{Dir: old.dir, storage: localStorage(old.dir)}
	// One process upgrades at a time. Nobody commits to the lake, since nobody can open it.
	whole := Partition{"lake", "format"}
	release, err := l.Lease(ctx, whole)
	if err != nil {
		return false, err
	}
	defer release()
	if _, err = Open(dir, false); err == nil {
		return false, nil // another process has done it meanwhile
	}
	names, err := l.storage.List(InventoryFolder)
	if err != nil {
		return false, err
	}
	gather := l.gather3
	if old.format == 2 {
		gather = l.gather2
	}
	inventories, err := gather(names)
	if err != nil {
		return false, err
	}
	held := l.heldLease(whole)
	for _, v := range inventories {
		p, _ := parsePartition(v.Partition)
		if err := l.replaceInventory(held, p, "", v); err != nil {
			return false, err
		}
	}
	if err := l.replace(held, "_lake.json", l.mark()); err != nil {
		return false, err
	}
	_, err = l.sweepOwn() // the manifests of format 2
	return true, err
}

// gather3 reads the inventories of formats 3 and 4. Those of format 3 have no checksum, but where an upgrade was cut short.
func (l *Lake) gather3(names []string) (all []*Inventory, err error) {
	for _, name := range names {
		if !strings.HasSuffix(name, ".json") {
			continue // half an inventory, which a killed process left
		}
		text, err := readFile(l.storage, path.Join(InventoryFolder, name))
		if err != nil {
			return nil, err
		}
		v := new(Inventory)
		if bytes.HasPrefix(text, []byte(sealBegin)) {
			err = unseal(text, v)
		} else {
			err = json.Unmarshal(text, v)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w: remove the file", l.storage.Path(path.Join(InventoryFolder, name)), err)
		}
		all = append(all, v)
	}
	return all, nil
}

// gather2 reads all manifests of format 2 into inventories. The names of tables end with a slash, as those of folders.
func (l *Lake) gather2(tables []string) ([]*Inventory, error) {
	of := make(map[string]*Inventory)
	for _, table := range tables {
		folder, isFolder := strings.CutSuffix(table, "/")
		if !isFolder {
			continue // an inventory that an upgrade wrote which was cut short
		}
		names, err := l.storage.List(path.Join(InventoryFolder, folder))
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			if !strings.HasSuffix(name, ".json") {
				continue // half a manifest, which a killed process left
			}
			text, err := readFile(l.storage, path.Join(InventoryFolder, folder, name))
			if err != nil {
				return nil, err
			}
			m := new(manifest2)
			if err := json.Unmarshal(text, m); err != nil {
				return nil, fmt.Errorf("%s: %w: remove the file", l.storage.Path(path.Join(InventoryFolder, folder, name)), err)
			}
			if of[m.Partition] == nil {
				of[m.Partition] = &Inventory{Partition: m.Partition}
			}
			of[m.Partition].Tables = append(of[m.Partition].Tables, &m.Manifest)
		}
	}
	var all []*Inventory
	for _, v := range of {
		slices.SortFunc(v.Tables, func(a, b *Manifest) int { return cmp.Compare(a.Table, b.Table) })
		all = append(all, v)
	}
	slices.SortFunc(all, func(a, b *Inventory) int { return cmp.Compare(a.Partition, b.Partition) })
	return all, nil
}
