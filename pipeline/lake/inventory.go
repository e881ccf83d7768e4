package lake

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"
)

// Inventory lists all tables of a partition. It is one file, which is replaced whole: who reads it once sees the partition
// before a commit or after it, and never half of each.
type Inventory struct {
	Partition string      `json:"partition"` // as Partition.String writes it, such as run=a
	Tables    []*Manifest `json:"tables"`    // sorted by their names
}

// InventoryFolder holds the inventories of all partitions, and nothing else. Its time of modification tells that one of them
// has changed.
const InventoryFolder = "_manifests"

// inventoryPath returns the name of the inventory of a partition.
func inventoryPath(p Partition) string { return path.Join(InventoryFolder, p.String()+".json") }

// Table returns the manifest of a table, or nil when the partition does not have the table.
func (v *Inventory) Table(name string) *Manifest {
	if i, has := v.find(name); has {
		return v.Tables[i]
	}
	return nil
}

// find returns where a table stands, or would stand.
func (v *Inventory) find(name string) (int, bool) {
	return slices.BinarySearchFunc(v.Tables, name, func(m *Manifest, name string) int { return cmp.Compare(m.Table, name) })
}

// with returns an inventory in which some tables are replaced or added. The inventory itself stays as it is, since readers
// share it.
func (v *Inventory) with(manifests []*Manifest) *Inventory {
	out := &Inventory{Partition: v.Partition, Tables: slices.Clone(v.Tables)}
	for _, m := range manifests {
		if i, has := out.find(m.Table); has {
			out.Tables[i] = m
		} else {
			out.Tables = slices.Insert(out.Tables, i, m)
		}
	}
	return out
}

// without returns an inventory that lacks some tables.
func (v *Inventory) without(tables []string) *Inventory {
	left := slices.DeleteFunc(slices.Clone(v.Tables), func(m *Manifest) bool { return slices.Contains(tables, m.Table) })
	return &Inventory{Partition: v.Partition, Tables: left}
}

// files returns the names of all files of all tables.
func (v *Inventory) files() map[string]bool {
	named := make(map[string]bool)
	for _, m := range v.Tables {
		for _, f := range m.Files {
			named[f.Path] = true
		}
	}
	return named
}

// Inventory reads which tables a partition has: none when it does not exist. Nobody may change what it returns.
//
// A stage looks at a dozen tables of a run and a run has fifty, so inventories are kept in memory, with the stamp of the
// file that they were read from. A look at a file's stamp costs a microsecond, to read it again half a millisecond.
func (l *Lake) Inventory(p Partition) (*Inventory, error) {
	v, _, err := l.stampedInventory(p)
	return v, err
}

// stampedInventory is Inventory with the stamp of the file, which is empty where there is none.
func (l *Lake) stampedInventory(p Partition) (*Inventory, string, error) {
	name := inventoryPath(p)
	// The stamp is taken before the text is read. Where the file is replaced in between, the newer text has an older stamp,
	// and is read once more.
	stamp, err := l.storage.Stamp(name)
	if errors.Is(err, fs.ErrNotExist) {
		return &Inventory{Partition: p.String()}, "", nil
	}
	if err != nil {
		return nil, "", err
	}
	if v := l.cache.get(p, stamp); v != nil {
		return v, stamp, nil
	}
	var text []byte
	if l.objects != nil {
		text, stamp, err = l.objects.ReadStamped(name)
	} else {
		text, err = readFile(l.storage, name)
	}
	if errors.Is(err, fs.ErrNotExist) { // dropped meanwhile
		return &Inventory{Partition: p.String()}, "", nil
	}
	if err != nil {
		return nil, "", err
	}
	v := new(Inventory)
	err = unseal(text, v)
	if err == nil && v.Partition != p.String() {
		err = fmt.Errorf("it is the inventory of %s", v.Partition)
	}
	if err != nil {
		return nil, "", fmt.Errorf("%s: %w: remove the file, then ingest or compare again", l.storage.Path(name), err)
	}
	l.cache.put(p, stamp, v)
	return v, stamp, nil
}

// Manifest returns the manifest of a table's partition; it is nil when that does not exist. Who needs several tables of a
// partition as they are at one instant takes them from one Inventory.
func (l *Lake) Manifest(table string, p Partition) (*Manifest, error) {
	v, err := l.Inventory(p)
	if err != nil {
		return nil, err
	}
	return v.Table(table), nil
}

// replaceInventory makes an inventory the one of its partition, in the place of the one that has the stamp. One without tables is removed:
// the partition does not exist any more. In an object store the error is ErrChanged where another process was faster.
func (l *Lake) replaceInventory(held *lease, p Partition, stamp string, v *Inventory) error {
	name := inventoryPath(p)
	if len(v.Tables) > 0 {
		text, err := seal(v)
		if err != nil {
			return err
		}
		if l.objects == nil {
			return l.replace(held, name, text)
		}
		if err := l.checkLease(held); err != nil {
			return err
		}
		return l.objects.ReplaceIf(name, stamp, text)
	}
	if err := l.checkLease(held); err != nil {
		return err
	}
	if err := l.storage.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// Partitions lists the partitions with a key, such as all runs, sorted by name. It lists names and opens nothing.
func (l *Lake) Partitions(key string) ([]Partition, error) {
	all, err := l.allPartitions()
	return slices.DeleteFunc(all, func(p Partition) bool { return p.Key != key }), err
}

// allPartitions lists all partitions that exist, sorted by name.
// It lists inventories, not folders: files without an inventory do not exist.
func (l *Lake) allPartitions() ([]Partition, error) {
	names, err := l.storage.List(InventoryFolder)
	if err != nil {
		return nil, err
	}
	var out []Partition
	for _, name := range names {
		name, isInventory := strings.CutSuffix(name, ".json")
		if p, isPartition := parsePartition(name); isInventory && isPartition {
			out = append(out, p)
		}
	}
	slices.SortStableFunc(out, func(a, b Partition) int { return cmp.Compare(a.Name, b.Name) })
	return out, nil
}

// Stamps returns the stamps of all partitions, by Partition.String: one changes whenever the partition does. It looks at the
// files of inventories and reads none, which takes a few microseconds each.
func (l *Lake) Stamps() (map[string]string, error) {
	if l.objects != nil {
		return l.listedStamps()
	}
	partitions, err := l.allPartitions()
	if err != nil {
		return nil, err
	}
	stamps := make(map[string]string, len(partitions))
	for _, p := range partitions {
		stamp, err := l.storage.Stamp(inventoryPath(p))
		if errors.Is(err, fs.ErrNotExist) {
			continue // dropped meanwhile
		}
		if err != nil {
			return nil, err
		}
		stamps[p.String()] = stamp
	}
	return stamps, nil
}

// listedStamps is Stamps by one list of objects.
func (l *Lake) listedStamps() (map[string]string, error) {
	files, err := l.objects.Stamps(InventoryFolder)
	stamps := make(map[string]string, len(files))
	for name, stamp := range files {
		name, isInventory := strings.CutSuffix(name, ".json")
		if p, isPartition := parsePartition(name); isInventory && isPartition {
			stamps[p.String()] = stamp
		}
	}
	return stamps, err
}

// Newest returns the name of the partition with a key that was committed last among those with a table; "" where there is none. Of two
// of one time it is the last by name.
func (l *Lake) Newest(key, table string) (string, error) {
	partitions, err := l.Partitions(key)
	if err != nil {
		return "", err
	}
	type committed struct {
		Partition
		at time.Time
	}
	var all []committed
	for _, p := range partitions {
		at, err := l.storage.Changed(inventoryPath(p))
		switch {
		case err == nil:
			all = append(all, committed{p, at})
		case !errors.Is(err, fs.ErrNotExist): // else it was dropped meanwhile
			return "", err
		}
	}
	slices.SortFunc(all, func(a, b committed) int { return cmp.Or(b.at.Compare(a.at), cmp.Compare(b.Name, a.Name)) })
	for _, p := range all {
		v, err := l.Inventory(p.Partition)
		if err != nil {
			return "", err
		}
		if slices.ContainsFunc(v.Tables, func(m *Manifest) bool { return m.Table == table }) {
			return p.Name, nil
		}
	}
	return "", nil
}

// PartitionFiles is Files of one partition, which Partition.String names. One that does not exist has no files.
func (l *Lake) PartitionFiles(name string) (map[string][]string, error) {
	p, _ := parsePartition(name)
	v, err := l.Inventory(p)
	if err != nil {
		return nil, err
	}
	files := make(map[string][]string)
	for _, m := range v.Tables {
		for _, f := range m.Files {
			files[m.Table] = append(files[m.Table], f.Path)
		}
	}
	return files, nil
}

// Inventories reads the inventories of all partitions, in the order of their names.
func (l *Lake) Inventories() ([]*Inventory, error) {
	partitions, err := l.allPartitions()
	if err != nil {
		return nil, err
	}
	all := make([]*Inventory, len(partitions))
	for i, p := range partitions {
		if all[i], err = l.Inventory(p); err != nil {
			return nil, err
		}
	}
	return all, nil
}
