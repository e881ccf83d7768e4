package ingest

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/schema"
)

// Detect finds the format of a trace by its first bytes, or says why there is none.
type Detect func(file string, head []byte) (schema.Format, error)

// Found is a trace in a folder.
type Found struct {
	Format schema.Format // by whose names of files it was found
	Path   string        // in the file system of the folder: a file or a folder in it, or "."
}

// Find finds the traces in a folder and the folders below it, in the order of their paths.
type Find func(folder fs.FS) ([]Found, error)

// headBytes is how much of the beginning of a file tells its format.
// It must reach beyond the header of every format, and beyond the magic number of a tar archive.
const headBytes = 1 << 16

// farBytes is how much is looked at where headBytes show no format. Programs put whole source maps or settings before the
// events of a trace, or into its first event.
const farBytes = 4 << 20

// located is where a trace lies: lines in one file, or whatever its Reader opens.
type located struct {
	format schema.Format
	trace  schema.Trace // of a format that has a Reader
	files  []string     // that the trace consists of, for its hash; none of the standard input
}

// locate finds the format of the trace and where its parts lie.
// It opens no trace yet: a command that names the wrong files must fail before anything is staged.
func (in *intake) locate() (places []located, err error) {
	for _, path := range in.Paths {
		more, err := in.locateOne(path)
		if err != nil {
			return nil, err
		}
		places = append(places, more...)
	}
	// The parts of one run have one format, since their records are put into one order.
	first := places[0].format
	for i, p := range places {
		if p.format.Name != first.Name {
			return nil, fmt.Errorf("%s is a %s trace and %s a %s trace: ingest them as two runs",
				in.nameOf(0), first.Name, in.nameOf(i), p.format.Name)
		}
	}
	// Only now is the format known whose words --component may use.
	if err := first.CheckComponent(in.Options.Component); err != nil {
		return nil, err
	}
	if len(in.Options.NameArgs) > 0 && !first.NameArgs {
		return nil, &schema.UnknownArgumentError{Format: first.Name, Field: in.Options.NameArgs[0].Field}
	}
	if len(in.Options.Attributes) > 0 && !first.Attributes {
		return nil, &schema.NoAttributesError{Format: first.Name}
	}
	// Traces of a folder are most likely those of several runs. Where each is named, they are parts of one.
	if first.NewReader != nil && len(places) > 1 && !first.Several && len(places) != len(in.Paths) {
		return nil, fmt.Errorf("%s: %d %s traces, of which each must be a run of its own: %s",
			strings.Join(in.Paths, " "), len(places), first.Name, listed(places))
	}
	return places, nil
}

// nameOf is the argument that the i-th place came from, as far as that can be told.
func (in *intake) nameOf(i int) string { return in.Paths[min(i, len(in.Paths)-1)] }

// listed names some of the traces that were found.
func listed(places []located) string {
	var names []string
	for _, p := range places[:min(4, len(places))] {
		names = append(names, p.trace.Path)
	}
	if len(places) > len(names) {
		names = append(names, "...")
	}
	return strings.Join(names, ", ")
}

// locateOne finds the traces that an argument names: a file or a folder, packed or not.
func (in *intake) locateOne(path string) ([]located, error) {
	if path == "-" {
		return in.locateStdin()
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return in.locateFolder(path, path) // the argument is the folder
	}
	head, err := headOf(path, headBytes)
	if err != nil {
		return nil, err
	}
	if isTar(head) {
		// An archive is unpacked and searched like a folder. Its hash is that of the archive itself, so that a
		// trace is known again without unpacking it.
		folder, err := in.unpack(path)
		if err != nil {
			return nil, err
		}
		places, err := in.locateFolder(path, folder)
		for i := range places {
			places[i].files = nil // they vanish with the staging area
		}
		if err == nil {
			places[0].files = []string{path}
		}
		return places, err
	}
	format, err := in.Detect(path, head)
	if err != nil && len(head) == headBytes {
		if head, err = headOf(path, farBytes); err == nil {
			format, err = in.Detect(path, head)
		}
	}
	if err != nil {
		return nil, err
	}
	if format.Folder {
		return in.locateFolder(path, filepath.Dir(path))
	}
	p, err := in.placeOf(format, filepath.Dir(path), filepath.Base(path))
	return []located{p}, err
}

// locateFolder finds the traces in a folder that was named by an argument, or that was packed in a file.
func (in *intake) locateFolder(argument, folder string) ([]located, error) {
	found, err := in.find(folder)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", argument, err)
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("%s is a folder without a trace of a format that knows folders: name the trace files in it", argument)
	}
	var places []located
	for _, f := range found {
		p, err := in.placeOf(f.Format, filepath.Join(folder, filepath.Dir(f.Path)), filepath.Base(f.Path))
		if err != nil {
			return nil, err
		}
		places = append(places, p)
	}
	return places, nil
}

// placeOf is the place of a trace in a folder.
// A trace of lines needs no file system: it is read by its path.
func (in *intake) placeOf(format schema.Format, folder, name string) (p located, err error) {
	p.format = format
	switch p.files, err = filesOf(folder, name, format.Anchor); {
	case err != nil || format.NewReader == nil:
	case format.Anchor || isFolder(folder, name):
		p.trace = in.traceIn(folder, name)
	default:
		p.trace = in.traceOf(folder, name)
	}
	return p, err
}

// isFolder reports whether a path in a folder is a folder itself. One that is missing is none.
func isFolder(folder, path string) bool {
	info, err := os.Stat(filepath.Join(folder, path))
	return err == nil && info.IsDir()
}

// filesOf lists the files of a trace, for its hash: all in a folder; of an anchor those beside it that share its name
// up to the ending, and what is in a folder of that name.
// The list is sorted, so that the hash does not depend on the order in which the disk holds the files.
func filesOf(folder, path string, anchor bool) ([]string, error) {
	if !anchor {
		return filesBelow(filepath.Join(folder, path))
	}
	// The anchor traces.otf2 has traces.def beside it and the folder traces.
	stem := strings.TrimSuffix(path, filepath.Ext(path))
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	var files []string
	for _, e := range entries {
		if e.Name() == stem && e.IsDir() {
			below, err := filesBelow(filepath.Join(folder, stem))
			if err != nil {
				return nil, err
			}
			files = append(files, below...)
		} else if strings.HasPrefix(e.Name(), stem+".") && e.Type().IsRegular() {
			files = append(files, filepath.Join(folder, e.Name()))
		}
	}
	slices.Sort(files)
	return files, nil
}

// filesBelow lists the regular files in a folder and below it, in the order of their paths; of a file, the file
// itself.
func filesBelow(path string) (files []string, err error) {
	err = filepath.WalkDir(path, func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() {
			files = append(files, path)
		}
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("%w while its files were listed", err)
	}
	return files, err
}
