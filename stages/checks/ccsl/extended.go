package ccsl

import (
	"fmt"
	"io/fs"
	"path"
	"strings"
)

// ReadExtended reads a specification of TimeSquare, `.extendedCCSL`, and the libraries, `.ccslLib`, that it imports
// from the same file system: by a path relative to the importing file, or, for the addresses of Eclipse
// ("platform:/resource/project/folder/x.ccslLib"), by the longest end of it that is there. kernel.ccslLib and
// CCSL.ccslLib are built in; what else is imported, the models, is not opened. A library that is missing matters only
// where a word of it is used. Errors name file, line and column and say what was expected there.
// The result has no trace of the file's structure but for the paths of names and the places.
func ReadExtended(fsys fs.FS, name string, dialect Dialect) (*Spec, error) {
	u, err := readUnit(fsys, name)
	if err != nil {
		return nil, err
	}
	if len(u.blocks) == 0 {
		return nil, errorAtPlace(u.at, "a system with a block was expected: %s has none", u.name)
	}
	// The file itself counts as read, in case a library imports it.
	x := expander{
		builder: newBuilder(u.name, dialect), fsys: fsys, filesRead: map[string]bool{name: true},
		relations: map[string]*libraryWord{}, expressions: map[string]*libraryWord{},
	}
	// The integers of the kernel library are known everywhere.
	global := &scope{names: map[string]binding{}}
	for n, value := range integerWords {
		global.names[n] = binding{kind: bindInteger, number: value}
	}
	// Words first: the lines of blocks may use any word of any library.
	if err := x.loadUnit(u, name, global); err != nil {
		return nil, err
	}
	if err := x.expandBody(u.blocks, global); err != nil {
		return nil, err
	}
	return x.spec, nil
}

// expander turns units of TimeSquare's syntax into a Spec.
type expander struct {
	builder
	fsys                   fs.FS
	filesRead              map[string]bool         // by path: whether the file was read, so that mutual imports end
	missing                []string                // libraries that were not found
	relations, expressions map[string]*libraryWord // words for relations that libraries declare, by name
}

// libraryWord is a relation or an expression that a library declares.
type libraryWord struct {
	declaration
	definition *definition // nil while the library only declares it
	scope      *scope      // names of the library, in which the definition is expanded
}

// loadUnit reads the libraries that a unit imports, and makes the words of the unit known. The first definition of
// a word wins.
func (x *expander) loadUnit(u *unit, file string, global *scope) error {
	// A library's names are visible inside its definitions only.
	own := global.innerScope(u.name + "::")
	own.library = true
	if err := x.declareNames(u.constants, own); err != nil {
		return err
	}
	// Declarations before definitions, which refer to them in any order.
	for _, d := range u.declarations {
		if words := x.wordsOf(d.expression); words[d.name] == nil {
			words[d.name] = &libraryWord{declaration: d, scope: own}
		}
	}
	for i := range u.definitions {
		d := &u.definitions[i]
		w := x.wordsOf(d.expression)[d.declares]
		if w == nil {
			return errorAtPlace(d.at, "%s defines %s, which its library does not declare", d.name, d.declares)
		}
		if w.definition == nil {
			w.definition = d
		}
	}
	// Imports come last, so that the words of the importing file win.
	for _, i := range u.imports {
		if err := x.importFile(i, file, global); err != nil {
			return fmt.Errorf("%w (imported at %s)", err, i.at)
		}
	}
	return nil
}

// wordsOf returns the table of expressions or that of relations.
func (x *expander) wordsOf(expressions bool) map[string]*libraryWord {
	if expressions {
		return x.expressions
	}
	return x.relations
}

// importFile reads an imported library once. The two kernel libraries are built in, and models are not opened.
func (x *expander) importFile(i imported, from string, global *scope) error {
	base := path.Base(i.path)
	if base == "kernel.ccslLib" || base == "CCSL.ccslLib" || !strings.HasSuffix(base, ".ccslLib") {
		return nil
	}
	file, found := x.locateImport(i.path, from)
	if !found {
		x.missing = append(x.missing, i.path)
		return nil
	}
	if x.filesRead[file] {
		return nil
	}
	x.filesRead[file] = true
	u, err := readUnit(x.fsys, file)
	if err != nil {
		return err
	}
	return x.loadUnit(u, file, global)
}

// locateImport finds an imported file: relative to the importing one, or by the longest end of an Eclipse address
// that exists.
func (x *expander) locateImport(imported, from string) (string, bool) {
	// The address of an Eclipse workspace names a project that is not there: its end is.
	_, rest, address := strings.Cut(imported, ":/")
	if !address {
		file := path.Join(path.Dir(from), imported)
		return file, x.fileExists(file)
	}
	for rest != "" {
		for _, file := range []string{path.Join(path.Dir(from), rest), path.Clean(rest)} {
			if x.fileExists(file) {
				return file, true
			}
		}
		_, rest, _ = strings.Cut(rest, "/")
	}
	return "", false
}

// fileExists reports whether a path names a regular file.
func (x *expander) fileExists(file string) bool {
	if !fs.ValidPath(file) {
		return false
	}
	info, err := fs.Stat(x.fsys, file)
	return err == nil && info.Mode().IsRegular()
}
