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
func ReadExtended(fsys fs.FS, name string, dialect Dialect) (*Spec, error) {
	u, err := readUnit(fsys, name)
	if err != nil {
		return nil, err
	}
	if len(u.blocks) == 0 {
		return nil, failure(u.at, "a system with a block was expected: %s has none", u.name)
	}
	x := expander{
		builder: newBuilder(u.name, dialect), fsys: fsys, read: map[string]bool{name: true},
		relations: map[string]*word{}, expressions: map[string]*word{},
	}
	global := &scope{names: map[string]binding{}}
	for n, value := range integerWords {
		global.names[n] = binding{kind: bindInteger, number: value}
	}
	if err := x.load(u, name, global); err != nil {
		return nil, err
	}
	if err := x.body(u.blocks, global); err != nil {
		return nil, err
	}
	return x.spec, nil
}

// expander turns units into a Spec.
type expander struct {
	builder
	fsys                   fs.FS
	read                   map[string]bool // files
	missing                []string        // libraries that are not there
	relations, expressions map[string]*word
}

// word is a relation or an expression that a library declares.
type word struct {
	declaration
	definition *definition
	scope      *scope // of the library
}

// load reads the libraries that a unit imports, and makes the words of the unit known. The first definition of a word
// holds.
func (x *expander) load(u *unit, file string, global *scope) error {
	own := global.inside(u.name + "::")
	own.library = true
	if err := x.names(u.constants, own); err != nil {
		return err
	}
	for _, d := range u.declarations {
		if words := x.words(d.expression); words[d.name] == nil {
			words[d.name] = &word{declaration: d, scope: own}
		}
	}
	for i := range u.definitions {
		d := &u.definitions[i]
		w := x.words(d.expression)[d.declares]
		if w == nil {
			return failure(d.at, "%s defines %s, which its library does not declare", d.name, d.declares)
		}
		if w.definition == nil {
			w.definition = d
		}
	}
	for _, i := range u.imports {
		if err := x.importFile(i, file, global); err != nil {
			return fmt.Errorf("%w (imported at %s)", err, i.at)
		}
	}
	return nil
}

func (x *expander) words(expressions bool) map[string]*word {
	if expressions {
		return x.expressions
	}
	return x.relations
}

// importFile reads an imported library, once.
func (x *expander) importFile(i imported, from string, global *scope) error {
	base := path.Base(i.path)
	if base == "kernel.ccslLib" || base == "CCSL.ccslLib" || !strings.HasSuffix(base, ".ccslLib") {
		return nil
	}
	file, found := x.locate(i.path, from)
	if !found {
		x.missing = append(x.missing, i.path)
		return nil
	}
	if x.read[file] {
		return nil
	}
	x.read[file] = true
	u, err := readUnit(x.fsys, file)
	if err != nil {
		return err
	}
	return x.load(u, file, global)
}

// locate finds an imported file.
func (x *expander) locate(imported, from string) (string, bool) {
	_, rest, address := strings.Cut(imported, ":/")
	if !address {
		file := path.Join(path.Dir(from), imported)
		return file, x.exists(file)
	}
	for rest != "" {
		for _, file := range []string{path.Join(path.Dir(from), rest), path.Clean(rest)} {
			if x.exists(file) {
				return file, true
			}
		}
		_, rest, _ = strings.Cut(rest, "/")
	}
	return "", false
}

func (x *expander) exists(file string) bool {
	if !fs.ValidPath(file) {
		return false
	}
	info, err := fs.Stat(x.fsys, file)
	return err == nil && info.Mode().IsRegular()
}
