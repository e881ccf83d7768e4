package lake

import (
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/pipeline/process"
	"golang.org/x/sync/errgroup"
)

// copiesAtATime is how many files Mirror fetches side by side.
const copiesAtATime = 4

// Mirror brings the files of some tables into a folder of this machine, under the names that they have in the lake, for programs that
// read files only. What lies there already stays, since a name is given once. Files of these tables that the lake has no more go. It
// returns the names, by table, in the order of Files.
func (l *Lake) Mirror(ctx context.Context, dir string, tables []string) (map[string][]string, error) {
	all, err := l.Inventories()
	if err != nil {
		return nil, err
	}
	names, fetched := make(map[string][]string), new(errgroup.Group)
	fetched.SetLimit(copiesAtATime)
	for _, v := range all {
		for _, m := range v.Tables {
			if !slices.Contains(tables, m.Table) {
				continue
			}
			for _, f := range m.Files {
				names[m.Table] = append(names[m.Table], f.Path)
				fetched.Go(func() error { return l.fetch(ctx, dir, f) })
			}
		}
	}
	if err := fetched.Wait(); err != nil {
		return nil, err
	}
	for table, have := range names {
		if err := removeOthers(dir, table, have); err != nil {
			return nil, err
		}
	}
	return names, nil
}

// fetch copies a file unless it is there. It gets its name when all its bytes are there and right.
func (l *Lake) fetch(ctx context.Context, dir string, f File) error {
	to := filepath.Join(dir, filepath.FromSlash(f.Path))
	if info, err := os.Stat(to); err == nil && info.Size() == f.Bytes {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return err
	}
	object, err := l.storage.Open(f.Path)
	if err != nil {
		return err
	}
	defer object.Close()
	out, err := os.Create(filepath.Join(filepath.Dir(to), process.NewAttempt()))
	if err != nil {
		return err
	}
	defer os.Remove(out.Name()) // it has another name by then, if all goes well
	sum := crc32.New(castagnoli)
	_, err = io.Copy(io.MultiWriter(out, sum), interrupted{ctx, io.NewSectionReader(object, 0, object.Size())})
	if err = errors.Join(err, out.Close()); err != nil {
		return err
	}
	if text := crcText(sum); object.Size() != f.Bytes || text != f.Crc32c {
		return fmt.Errorf("%s is damaged: it has %d bytes with the checksum %s, and its manifest states %d and %s; see analyze verify",
			l.Path(f), object.Size(), text, f.Bytes, f.Crc32c)
	}
	return os.Rename(out.Name(), to)
}

// interrupted is a reader that ends with a context.
type interrupted struct {
	ctx context.Context
	in  io.Reader
}

// Read implements io.Reader.
func (r interrupted) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.in.Read(p)
}

// removeOthers removes the files of a table in a folder that have none of some names, and what killed processes fetched. Files that
// another process fetches stay.
func removeOthers(dir, table string, names []string) error {
	named := make(map[string]bool, len(names))
	for _, name := range names {
		named[name] = true
	}
	err := filepath.WalkDir(filepath.Join(dir, table), func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		if by, known := process.OfAttempt(e.Name()); known && by.Ended() {
			return unlessGone(os.Remove(path))
		}
		if !strings.HasSuffix(path, ".parquet") {
			return nil
		}
		name, err := filepath.Rel(dir, path)
		if err == nil && !named[filepath.ToSlash(name)] {
			err = unlessGone(os.Remove(path))
		}
		return err
	})
	return unlessGone(err)
}
