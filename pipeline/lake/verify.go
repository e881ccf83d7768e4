package lake

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/pipeline/lake/parquet"
)

// Damage is one thing that is wrong with a lake.
type Damage struct {
	Table     string `json:"table"`     // empty where the inventory itself is damaged
	Partition string `json:"partition"` // such as run=a
	File      string `json:"file"`      // relative to the lake: an inventory or a data file
	Problem   string `json:"problem"`   // a sentence without its full stop
}

// Verification is the result of Verify.
type Verification struct {
	Manifests int      `json:"manifests"` // that were checked
	Files     int      `json:"files"`     // that were checked
	Bytes     int64    `json:"bytes"`     // of the files that were read
	Damages   []Damage `json:"damages"`   // in the order of partitions and tables; never nil
}

// Verify checks the partitions that are wanted, or all when wanted is nil: that their manifests can be read and say what
// their names and fingerprints say, and that each of their files exists, has its size and its checksum, and has as many
// rows as the manifest states. It reads every byte once and writes nothing, so that a lake on read-only media can be
// checked. Damage is no error; the error is that of a check that could not be made, such as the end of ctx.
//
// A commit of another process may replace a table between the look at its inventory and the look at its files. So damage
// counts only if the inventory still is the same afterwards; otherwise the new one is checked.
//
// Any flipped byte is found: inventories begin with their checksum. Files that no manifest names are no damage: they do not
// exist, and Sweep removes them.
// A check of a lake of many gigabytes takes as long as reading it; memory is a megabyte.
func (l *Lake) Verify(ctx context.Context, wanted func(Partition) bool, meter WorkMeter) (*Verification, error) {
	v := &verifier{lake: l, meter: meter, Verification: Verification{Damages: []Damage{}}}
	partitions, err := l.allPartitions()
	if err != nil {
		return nil, err
	}
	for _, p := range partitions {
		if wanted != nil && !wanted(p) {
			continue
		}
		if err := v.partition(ctx, p); err != nil {
			return nil, err
		}
	}
	return &v.Verification, nil
}

// WorkMeter counts work that is done against work that is expected.
type WorkMeter interface {
	Meter
	Expect(n int64)
}

// verifier goes through the partitions of a lake.
type verifier struct {
	Verification
	lake  *Lake
	meter WorkMeter // counts bytes of files; nil: nobody counts
}

// partition checks one partition, once more for every time that its inventory is replaced meanwhile.
// It ends, since every further round needs another commit.
func (v *verifier) partition(ctx context.Context, p Partition) error {
	name := inventoryPath(p)
	for {
		text, err := readFile(v.lake.storage, name)
		if errors.Is(err, fs.ErrNotExist) {
			return nil // dropped meanwhile
		}
		// Counts and damages of a round that does not count are taken back.
		before := v.Verification
		c := &partitionCheck{verifier: v, partition: p}
		if err != nil {
			c.damaged("", name, "it cannot be read: %v", err)
			return nil
		}
		if err := c.run(ctx, text); err != nil {
			return err
		}
		if len(v.Damages) == len(before.Damages) { // sound, whoever replaced it meanwhile
			return nil
		}
		now, err := readFile(v.lake.storage, name)
		if err == nil && bytes.Equal(now, text) {
			return nil
		}
		v.Verification = before
	}
}

// partitionCheck is the check of one partition.
type partitionCheck struct {
	*verifier
	partition Partition
}

// damaged adds a damage. The problem is a sentence without its full stop, with the values in it.
func (c *partitionCheck) damaged(table, file, problem string, values ...any) {
	c.Damages = append(c.Damages, Damage{table, c.partition.String(), file, fmt.Sprintf(problem, values...)})
}

// run checks the inventory, then the files that it names.
// An inventory that cannot be read names no files, so these are not checked.
func (c *partitionCheck) run(ctx context.Context, text []byte) error {
	name := inventoryPath(c.partition)
	inventory := new(Inventory)
	if err := unseal(text, inventory); err != nil {
		c.damaged("", name, "it is no list of manifests: %v", err)
		return nil
	}
	if inventory.Partition != c.partition.String() {
		c.damaged("", name, "it is that of the partition %q", inventory.Partition)
	}
	if !slices.IsSortedFunc(inventory.Tables, func(a, b *Manifest) int { return cmp.Compare(a.Table, b.Table) }) {
		c.damaged("", name, "its tables are not in their order")
	}
	for _, m := range inventory.Tables {
		c.manifest(m)
		for _, f := range m.Files {
			if c.meter != nil {
				c.meter.Expect(f.Bytes)
			}
		}
	}
	for _, m := range inventory.Tables {
		for _, f := range m.Files {
			if err := c.file(ctx, m.Table, f); err != nil {
				return err
			}
		}
	}
	return nil
}

// manifest checks what a manifest says twice.
// The fingerprint covers stage, version, options and inputs. The path of a file repeats its table, partition,
// bucket and fingerprint.
func (c *partitionCheck) manifest(m *Manifest) {
	c.Manifests++
	name := inventoryPath(c.partition)
	options := cmp.Or(m.Options, OptionText(nil)) // some stages used to leave out that they have none
	if m.Fingerprint != fingerprintOf(m.Format, m.Stage, m.Version, options, m.Inputs) {
		c.damaged(m.Table, name, "the fingerprint of %s is not that of its stage, version, options and inputs", m.Table)
	}
	for _, f := range m.Files {
		folder := path.Join(m.Table, c.partition.String())
		if f.Bucket != NoBucket {
			folder = path.Join(folder, fmt.Sprintf("bucket=%d", f.Bucket))
		}
		if tag := m.Fingerprint[:min(tagLength, len(m.Fingerprint))]; path.Dir(f.Path) != folder || !strings.HasSuffix(f.Path, "-"+tag+".parquet") {
			c.damaged(m.Table, name, "it names the file %q for %s and the fingerprint %s", f.Path, folder, tag)
		}
	}
}

// file checks a file against its entry in the manifest. Of a file with another checksum the rows are not counted: its
// footer cannot be trusted.
// The checks go from the cheapest to the dearest, and the first that fails is the one that is reported.
func (c *partitionCheck) file(ctx context.Context, table string, f File) error {
	c.Files++
	object, err := c.lake.storage.Open(f.Path)
	if errors.Is(err, fs.ErrNotExist) {
		c.damaged(table, f.Path, "it is missing")
		return nil
	}
	if err != nil {
		c.damaged(table, f.Path, "it cannot be opened: %v", err)
		return nil
	}
	defer object.Close()
	if object.Size() != f.Bytes {
		c.damaged(table, f.Path, "it has %d bytes, the manifest states %d", object.Size(), f.Bytes)
		return nil
	}
	sum, err := c.checksum(ctx, object)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		c.damaged(table, f.Path, "it cannot be read: %v", err)
		return nil
	case sum != f.Crc32c:
		c.damaged(table, f.Path, "its checksum is %s, the manifest states %s", sum, f.Crc32c)
		return nil
	}
	rows, err := parquet.CountRows(f.Path, object)
	if err != nil {
		c.damaged(table, f.Path, "%v", err)
	} else if rows != f.Rows {
		c.damaged(table, f.Path, "it has %d rows, the manifest states %d", rows, f.Rows)
	}
	return nil
}

// checksum returns the CRC-32C of a file, in the form that manifests have. It ends early with ctx.
// It counts the bytes in the result and on the meter as it goes.
func (c *partitionCheck) checksum(ctx context.Context, object Object) (string, error) {
	sum, buffer := crc32.New(castagnoli), make([]byte, min(object.Size()+1, 1<<20))
	in := io.NewSectionReader(object, 0, object.Size())
	for {
		n, err := in.Read(buffer)
		sum.Write(buffer[:n])
		c.Bytes += int64(n)
		if c.meter != nil {
			c.meter.Advance(int64(n))
		}
		if errors.Is(err, io.EOF) {
			return crcText(sum), nil
		}
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return "", err
		}
	}
}
