package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// switched is a package all of whose mutants are in one program, each behind a switch: number n is on where the environment says so. It is
// compiled once, where a mutant in a file of its own is compiled and linked each time.
type switched struct {
	set     *token.FileSet
	info    *types.Info
	imports types.Importer
	name    string           // of the package
	files   []*switchedFile  // by name
	numbers map[string]int   // of mutants by id, from 1; those without one must be compiled alone
	refused map[*mutant]bool // mutants that the compiler takes in no program beside others
	program string           // the path of the test program
}

// switchedFile is a file of the package.
type switchedFile struct {
	path    string // of the disk
	source  []byte
	tree    *ast.File
	mutants []mutant
	within  map[ast.Node]bool // nodes that must stay constant
}

// number is the variable of the environment that switches a mutant on.
const number = "TRACELAKE_MUTANT"

// helpers are what switched sources call. The names have two underscores, as no name of the house has.
const helpers = `
import ("cmp"; "os"; "strconv")

var mutant__ = func() int { n, _ := strconv.Atoi(os.Getenv("TRACELAKE_MUTANT")); return n }()

type number__ interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr | ~float32 | ~float64
}

func lss__[T cmp.Ordered](n int, a, b T) bool { if mutant__ == n { return a <= b }; return a < b }
func leq__[T cmp.Ordered](n int, a, b T) bool { if mutant__ == n { return a < b }; return a <= b }
func gtr__[T cmp.Ordered](n int, a, b T) bool { if mutant__ == n { return a >= b }; return a > b }
func geq__[T cmp.Ordered](n int, a, b T) bool { if mutant__ == n { return a > b }; return a >= b }
func add__[T number__](n int, a, b T) T { if mutant__ == n { return a - b }; return a + b }
func sub__[T number__](n int, a, b T) T { if mutant__ == n { return a + b }; return a - b }
func mul__[T number__](n int, a, b T) T { if mutant__ == n { return a / b }; return a * b }
func quo__[T number__](n int, a, b T) T { if mutant__ == n { return a * b }; return a / b }
func next__[T number__](n int, v T) T { if mutant__ == n { return v + 1 }; return v }
func land__(n int, a bool, b func() bool) bool { if mutant__ == n { return a || b() }; return a && b() }
func lor__(n int, a bool, b func() bool) bool { if mutant__ == n { return a && b() }; return a || b() }
`

// helperOf are the helpers of operators.
var helperOf = map[token.Token]string{
	token.LSS: "lss__", token.LEQ: "leq__", token.GTR: "gtr__", token.GEQ: "geq__", token.ADD: "add__", token.SUB: "sub__",
	token.MUL: "mul__", token.QUO: "quo__", token.LAND: "land__", token.LOR: "lor__",
}

// newSwitched reads the package of a folder with its types. The go command says which files it has and where its imports are compiled.
func newSwitched(root, folder string) (*switched, error) {
	c := exec.Command("go", "list", "-export", "-deps", "-json=ImportPath,Name,Dir,Export,GoFiles,CgoFiles", "cmp", "os", "strconv", "./"+folder) // and what helpers import
	c.Dir, c.Stderr = root, os.Stderr
	out, err := c.Output()
	if err != nil {
		return nil, err
	}
	type listed struct {
		ImportPath, Name, Dir, Export string
		GoFiles, CgoFiles             []string
	}
	exports := make(map[string]string)
	var own listed // the package itself
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := d.Decode(&p); err == io.EOF {
			break
		} else if err != nil {
			return nil, err
		}
		if exports[p.ImportPath] = p.Export; p.Dir == filepath.Join(root, folder) {
			own = p
		}
	}
	if len(own.CgoFiles) > 0 {
		return nil, errors.New("a package with C in it")
	}
	s := &switched{set: token.NewFileSet(), name: own.Name, numbers: make(map[string]int), refused: make(map[*mutant]bool),
		info: &types.Info{Types: make(map[ast.Expr]types.TypeAndValue)}}
	s.imports = importer.ForCompiler(s.set, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
	var trees []*ast.File
	for _, name := range own.GoFiles {
		f := &switchedFile{path: filepath.Join(own.Dir, name), within: make(map[ast.Node]bool)}
		if f.source, err = os.ReadFile(f.path); err != nil {
			return nil, err
		}
		if f.tree, err = parser.ParseFile(s.set, f.path, f.source, parser.SkipObjectResolution); err != nil {
			return nil, err
		}
		f.mutants = mutantsOfTree(s.set, f.tree, filepath.Join(folder, name), f.source)
		ast.Inspect(f.tree, f.markConstant)
		s.files, trees = append(s.files, f), append(trees, f.tree)
	}
	_, err = (&types.Config{Importer: s.imports}).Check(own.Name, s.set, trees, s.info)
	return s, err
}

// markConstant marks what must stay constant: lengths of arrays, declarations of constants and keys of lists.
func (f *switchedFile) markConstant(n ast.Node) bool {
	mark := func(n ast.Node) {
		ast.Inspect(n, func(n ast.Node) bool {
			f.within[n] = true
			return true
		})
	}
	switch n := n.(type) {
	case *ast.GenDecl:
		if n.Tok == token.CONST {
			mark(n)
		}
	case *ast.ArrayType:
		if n.Len != nil {
			mark(n.Len)
		}
	case *ast.KeyValueExpr:
		mark(n.Key)
	}
	return true
}

// edit replaces the bytes from at to to of a source. At one place ends of outer nodes follow those of inner ones, and begins precede them.
type edit struct {
	at, to int
	rank   int // negative: the end of a node; 0: an operator; positive: its begin
	text   string
}

// around are the edits that put text before and behind a node. depth is how many edits were made before, of nodes around it.
func (s *switched) around(n ast.Node, before, behind string, depth int) []edit {
	from, to := s.set.Position(n.Pos()).Offset, s.set.Position(n.End()).Offset
	return []edit{{from, from, 1 + depth, before}, {to, to, -1 - depth, behind}}
}

// edits are those of a mutant, or none where it must be compiled alone. depth is the number of the mutant in the walk from outside to inside.
func (s *switched) edits(f *switchedFile, m *mutant, n, depth int) []edit {
	if f.within[m.node] || s.refused[m] {
		return nil
	}
	switch node := m.node.(type) {
	case ast.Stmt:
		switch node := node.(type) {
		case *ast.BranchStmt:
			if node.Tok == token.FALLTHROUGH || node.Tok == token.GOTO {
				return nil
			}
		case *ast.ExprStmt:
			if call, is := node.X.(*ast.CallExpr); is {
				if name, is := call.Fun.(*ast.Ident); is && name.Name == "panic" { // it ends its function
					return nil
				}
			}
		}
		return s.around(node, fmt.Sprintf("if mutant__ != %d { ", n), " }", depth)
	case *ast.BasicLit:
		t, known := s.typeOf(f, node)
		if !known {
			return nil
		}
		return s.around(node, fmt.Sprintf("next__[%s](%d, ", t, n), ")", depth)
	case ast.Expr:
		binary, is := node.(*ast.BinaryExpr)
		switch {
		case m.New == "false":
			return s.around(node, fmt.Sprintf("mutant__ != %d && (", n), ")", depth)
		case strings.HasPrefix(m.New, "!("), is && (binary.Op == token.EQL || binary.Op == token.NEQ):
			return s.around(node, fmt.Sprintf("(mutant__ == %d) != (", n), ")", depth)
		case s.info.Types[node].Value != nil:
			return nil // it is constant
		}
		return s.operator(f, binary, n, depth)
	}
	return nil
}

// operator are the edits that make a call of an operator.
func (s *switched) operator(f *switchedFile, b *ast.BinaryExpr, n, depth int) []edit {
	at := s.set.Position(b.OpPos).Offset
	before, middle, behind := helperOf[b.Op], ", ", ")"
	if b.Op == token.LAND || b.Op == token.LOR {
		middle, behind = ", func() bool { return ", " })"
	} else {
		t, known := s.typeOf(f, b.X)
		if !known {
			return nil
		}
		before += "[" + t + "]"
	}
	return append(s.around(b, fmt.Sprintf("%s(%d, ", before, n), behind, depth), edit{at, at + len(b.Op.String()), 0, middle})
}

// typeOf spells the type of an expression as the file may.
func (s *switched) typeOf(f *switchedFile, e ast.Expr) (spelled string, known bool) {
	known = true
	t := s.info.Types[e].Type
	if basic, is := t.(*types.Basic); t == nil || types.IsInterface(t) && !isParameter(t) || is && basic.Info()&types.IsUntyped != 0 {
		return "", false
	}
	spelled = types.TypeString(t, func(p *types.Package) string {
		if p.Name() == s.name && p.Path() == s.name {
			return ""
		}
		for _, i := range f.tree.Imports {
			if strings.Trim(i.Path.Value, `"`) == p.Path() {
				if i.Name != nil {
					return i.Name.Name
				}
				return p.Name()
			}
		}
		known = false
		return ""
	})
	return spelled, known
}

// isParameter reports whether a type is a parameter of a function, which has a type set that is no interface where it is used.
func isParameter(t types.Type) bool {
	_, is := t.(*types.TypeParam)
	return is
}

// sources are the files with all switches, by path.
func (s *switched) sources() map[string][]byte {
	all := make(map[string][]byte)
	clear(s.numbers)
	for _, f := range s.files {
		var edits []edit
		order := slices.Clone(f.mutants)
		numbered := make([]int, len(order))
		for i := range f.mutants {
			numbered[i] = i
		}
		// Outer nodes first: by where they begin, and of those that begin together the longer first.
		slices.SortStableFunc(numbered, func(i, j int) int {
			a, b := f.mutants[i].node, f.mutants[j].node
			if a.Pos() != b.Pos() {
				return int(a.Pos() - b.Pos())
			}
			return int(b.End() - a.End())
		})
		for depth, i := range numbered {
			m := &f.mutants[i]
			n := len(s.numbers) + 1
			if more := s.edits(f, m, n, depth); more != nil {
				s.numbers[m.id()] = n
				edits = append(edits, more...)
			}
		}
		slices.SortStableFunc(edits, func(a, b edit) int {
			if a.at != b.at {
				return a.at - b.at
			}
			return a.rank - b.rank
		})
		var out bytes.Buffer
		at := 0
		for _, e := range edits {
			out.Write(f.source[at:e.at])
			out.WriteString(e.text)
			at = e.to
		}
		out.Write(f.source[at:])
		all[f.path] = out.Bytes()
	}
	all[filepath.Join(filepath.Dir(s.files[0].path), "zz_mutants.go")] = []byte("package " + s.name + "\n" + helpers)
	return all
}

// refuse checks the switched sources and takes out the mutants of lines that do not compile. It returns the sources that do.
func (s *switched) refuse() (map[string][]byte, error) {
	const rounds = 10
	for range rounds {
		sources := s.sources()
		wrong := make(map[string]map[int]bool)
		set := token.NewFileSet()
		var trees []*ast.File
		var first error
		for path, source := range sources {
			tree, err := parser.ParseFile(set, path, source, parser.SkipObjectResolution)
			if err != nil {
				return nil, err
			}
			trees = append(trees, tree)
		}
		c := types.Config{Importer: s.imports, Error: func(err error) {
			var e types.Error
			if errors.As(err, &e) {
				at := set.Position(e.Pos)
				if wrong[at.Filename] == nil {
					wrong[at.Filename] = make(map[int]bool)
				}
				wrong[at.Filename][at.Line] = true
			}
			first = firstOf(first, err)
		}}
		c.Check(s.name, set, trees, nil)
		if first == nil {
			return sources, nil
		}
		taken := false
		for _, f := range s.files {
			for i := range f.mutants {
				m := &f.mutants[i]
				from, to := s.set.Position(m.node.Pos()).Line, s.set.Position(m.node.End()).Line
				for line := range wrong[f.path] {
					if from <= line && line <= to && !s.refused[m] {
						s.refused[m], taken = true, true
					}
				}
			}
		}
		if !taken {
			return nil, first
		}
	}
	return nil, errors.New("too many lines do not compile")
}

// firstOf is the first of two errors that is one.
func firstOf(first, next error) error {
	if first != nil {
		return first
	}
	return next
}

// build compiles the tests of the package with all switches.
func (s *switched) build(root, folder, scratch string) error {
	sources, err := s.refuse()
	if err != nil {
		return err
	}
	replaced := make(map[string]string)
	for path, source := range sources {
		name := filepath.Join(scratch, "switched-"+filepath.Base(path))
		if err := os.WriteFile(name, source, 0o666); err != nil {
			return err
		}
		replaced[path] = name
	}
	list, err := json.Marshal(map[string]map[string]string{"Replace": replaced})
	if err != nil {
		return err
	}
	overlay := filepath.Join(scratch, "switched.json")
	if err := os.WriteFile(overlay, list, 0o666); err != nil {
		return err
	}
	s.program = filepath.Join(scratch, "switched.test")
	c := exec.Command("go", "test", "-c", "-vet=off", "-overlay", overlay, "-o", s.program, "./"+folder)
	c.Dir = root
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	return nil
}
