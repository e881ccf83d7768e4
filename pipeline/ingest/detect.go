package ingest

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/schema"
)

// AnyFormat is what stands for the name of a format where a trace shall show its own.
const AnyFormat = "auto"

// DetectAmong returns a Detect that knows some formats. It takes a file for the format that was asked for by its name
// or, with AnyFormat, for the first one that the beginning of the file or its ending shows.
// The formats are tried in the order of the list, and the first whose signs fit is taken. A format that was named
// is taken even where its signs are missing, if it can read at all.
func DetectAmong(formats []schema.Format, asked string, options schema.ReadingOptions) Detect {
	return func(file string, head []byte) (schema.Format, error) {
		// An empty file shows no format, and no format means anything by it.
		if len(head) == 0 {
			return schema.Format{}, fmt.Errorf("%s is empty", file)
		}
		for _, format := range formats {
			if asked != AnyFormat && asked != format.Name {
				continue
			}
			// A format may need to look at the beginning to know how the rest is read, as a table its header.
			// Faults there are reported with the name of the file.
			f, likely, err := match(format, head, options)
			if err != nil {
				return f, atFile(file, err)
			}
			// An ending is a weak sign: it counts only behind the first bytes, and only of formats that can read a
			// file without preparation.
			named := asked == format.Name || format.Ending != "" && strings.HasSuffix(uncompressed(file), format.Ending)
			if likely || named && (f.NewReader != nil || f.NewParser != nil) {
				return f, nil
			}
		}
		if looks := foreignTrace(head); looks != "" {
			return schema.Format{}, fmt.Errorf("%s:1:1: no known trace format: this looks like %s", file, looks)
		}
		// The first line tells people more about a file than its name; at most 60 bytes of it are quoted.
		line, _, _ := bytes.Cut(head, []byte{'\n'})
		return schema.Format{}, fmt.Errorf("%s:1:1: no known trace format: the first line is %.60q; see ingest --help for the formats, or name one with --format", file, line)
	}
}

// match completes a format for a file with this beginning, and reports whether the file looks like one of the format.
func match(format schema.Format, head []byte, options schema.ReadingOptions) (f schema.Format, likely bool, err error) {
	if format.Prepare != nil {
		return format.Prepare(head, options)
	}
	return format, format.IsFile != nil && format.IsFile(head), nil
}

// atFile adds the name of a file to a fault in its beginning.
func atFile(file string, err error) error {
	var syntax *schema.SyntaxError
	if errors.As(err, &syntax) {
		return &schema.SyntaxError{File: file, Line: syntax.Line, Col: syntax.Col, Err: syntax.Err}
	}
	return fmt.Errorf("%s: %w", file, err)
}

// FindAmong returns a Find that knows some formats, or with AnyFormat all of them. A folder that is a trace, or that
// an anchor file stands in, is not searched any deeper.
func FindAmong(formats []schema.Format, asked string) Find {
	return func(folder fs.FS) (found []Found, err error) {
		err = fs.WalkDir(folder, ".", func(dir string, e fs.DirEntry, err error) error {
			if err != nil || !e.IsDir() {
				return err
			}
			here := findIn(folder, dir, formats, asked)
			found = append(found, here...)
			if slices.ContainsFunc(here, func(f Found) bool { return f.Path == dir || f.Format.Anchor }) {
				return fs.SkipDir
			}
			return nil
		})
		return found, err
	}
}

// findIn finds the traces right in a folder, of the first format that has some there, by their names.
func findIn(folder fs.FS, dir string, formats []schema.Format, asked string) (found []Found) {
	for _, format := range formats {
		// The first format that finds something owns the folder, so files that two formats could claim are not
		// read twice.
		if format.FindIn == nil || asked != AnyFormat && asked != format.Name {
			continue
		}
		traces := format.FindIn(folder, dir)
		slices.Sort(traces)
		for _, trace := range traces {
			found = append(found, Found{Format: format, Path: trace})
		}
		if len(found) > 0 {
			break
		}
	}
	return found
}

// plainEndings are endings of file names that say how a trace is kept and not what it is.
var plainEndings = []string{".tar", ".tgz", ".txt", ".log", ".raw", ".csv", ".tsv", ".trace"}

// RunName names a run after its trace: the name of the file or folder without the endings of compressed files, of
// archives and texts, and of the formats. Where tracers give all traces one name, it is the name of the folder.
// The endings are cut in the order of the list, each once: x.trace.txt.gz becomes x.
func RunName(path string, formats []schema.Format) string {
	if full, err := filepath.Abs(path); err == nil && path != "-" {
		path = full // . and .. have names too
	}
	name := uncompressed(filepath.Base(path))
	for _, f := range formats {
		if slices.Contains(f.CommonNames, name) {
			name = filepath.Base(filepath.Dir(path))
		}
	}
	endings := slices.Clone(plainEndings)
	for _, f := range formats {
		for _, ending := range f.Endings {
			if !slices.Contains(endings, ending) {
				endings = append(endings, ending)
			}
		}
	}
	for _, ending := range endings {
		name = strings.TrimSuffix(name, ending)
	}
	return name
}

// uncompressed returns the name of a file without the endings of compressed files.
func uncompressed(name string) string {
	for _, ending := range []string{".gz", ".zst", ".xz"} {
		name = strings.TrimSuffix(name, ending)
	}
	return name
}
