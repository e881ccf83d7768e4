package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
)

// mutant is one change of a source file: the bytes from From to To become New.
type mutant struct {
	File     string `json:"file"` // relative to the folder of the module
	Line     int    `json:"line"` // of the first byte, from 1
	From, To int    // offsets in the file in bytes; To is behind the last
	New      string `json:"new"`  // the text that takes its place; "" removes it
	What     string `json:"what"` // the change in words: the old text and the new one

	node ast.Node // what is changed; see switched
}

// id tells the mutant apart from all others of the same source, so that a run that was cut short goes on where it was.
func (m *mutant) id() string { return fmt.Sprintf("%s:%d-%d:%s", m.File, m.From, m.To, m.New) }

// swapped are the operators that take the place of others: boundaries, signs, junctions.
var swapped = map[token.Token][]token.Token{
	token.LSS: {token.LEQ}, token.LEQ: {token.LSS}, token.GTR: {token.GEQ}, token.GEQ: {token.GTR}, // closed boundaries for open ones
	token.EQL: {token.NEQ}, token.NEQ: {token.EQL}, token.LAND: {token.LOR}, token.LOR: {token.LAND}, // negations and junctions
	token.ADD: {token.SUB}, token.SUB: {token.ADD}, token.MUL: {token.QUO}, token.QUO: {token.MUL}, // not % and shifts
}

// collector gathers the mutants of one file.
type collector struct {
	file   string         // relative, as in mutant
	set    *token.FileSet // of positions
	source []byte         // the content of the file
	all    []mutant       // in the order of the visit
}

// mutantsOf lists the mutants of all files of a package that are no tests, by file and place.
func mutantsOf(root, folder string) ([]mutant, error) {
	files, err := filepath.Glob(filepath.Join(root, folder, "*.go"))
	if err != nil {
		return nil, err
	}
	// Files come by name, and mutants in a file by place, so that numbers and hashes are the same every time.
	var all []mutant
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		source, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		relative, err := filepath.Rel(root, path)
		if err != nil {
			return nil, err
		}
		of, err := mutantsIn(relative, source)
		if err != nil {
			return nil, err
		}
		all = append(all, of...)
	}
	return all, nil
}

// mutantsIn lists the mutants of a file, by place.
// Objects need not be resolved: only the shape of the code counts.
func mutantsIn(file string, source []byte) ([]mutant, error) {
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, file, source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	return mutantsOfTree(set, tree, file, source), nil
}

// mutantsOfTree lists the mutants of a file that is parsed, by place.
func mutantsOfTree(set *token.FileSet, tree *ast.File, file string, source []byte) []mutant {
	c := &collector{file: file, set: set, source: source}
	for _, d := range tree.Decls {
		// Declarations of constants and types are left alone: they are names more often than rules.
		if f, is := d.(*ast.FuncDecl); is && f.Body != nil {
			ast.Inspect(f.Body, c.visit)
		}
	}
	// By place: the walk meets the parts of a node after all of it.
	sort.SliceStable(c.all, func(i, j int) bool { return c.all[i].From < c.all[j].From })
	return c.all
}

// visit adds the mutants of a node.
func (c *collector) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.IfStmt:
		c.negate(n.Cond)
	case *ast.CallExpr:
		if unseen := unseenFrom(n); unseen < len(n.Args) {
			for _, arg := range n.Args[:unseen] {
				ast.Inspect(arg, c.visit)
			}
			return false
		}
	// A loop whose condition is false is left out; one that is negated might not end.
	case *ast.ForStmt:
		if n.Cond != nil {
			c.add(n.Cond, n.Cond.Pos(), n.Cond.End(), "false")
		}
	case *ast.BinaryExpr:
		// A sum with a text in it is a concatenation, which has no difference.
		for _, op := range swapped[n.Op] {
			if !(n.Op == token.ADD && isText(n)) {
				c.add(n, n.OpPos, n.OpPos+token.Pos(len(n.Op.String())), op.String())
			}
		}
	case *ast.BasicLit:
		// Only whole numbers have a next one.
		if v, err := strconv.ParseInt(n.Value, 0, 64); err == nil && n.Kind == token.INT { // base 0: hexadecimal numbers and underscores count, too
			c.add(n, n.Pos(), n.End(), strconv.FormatInt(v+1, 10))
		}
	case *ast.BlockStmt:
		c.remove(n.List)
	case *ast.CaseClause:
		c.remove(n.Body)
	}
	return true
}

// unseenFrom is the number of the first argument of a call of which nobody can see the size: room that is made for what comes, and the
// sign of an infinity. Its mutants would survive in every package.
func unseenFrom(n *ast.CallExpr) int {
	switch f := n.Fun.(type) {
	case *ast.Ident:
		if f.Name == "make" && len(n.Args) > 0 {
			if _, hinted := n.Args[0].(*ast.MapType); hinted {
				return 1
			}
			return 2 // the length of a slice is seen, its capacity is not
		}
	case *ast.SelectorExpr:
		if of, is := f.X.(*ast.Ident); is {
			if of.Name == "math" && f.Sel.Name == "Inf" {
				return 0
			}
		}
	}
	return len(n.Args)
}

// negate adds the opposite of a condition. Comparisons have theirs by another operator.
// Of == and != the swapped operator is the negation already.
func (c *collector) negate(cond ast.Expr) {
	if b, is := cond.(*ast.BinaryExpr); is && (b.Op == token.EQL || b.Op == token.NEQ) {
		return
	}
	c.add(cond, cond.Pos(), cond.End(), "!("+c.text(cond.Pos(), cond.End())+")")
}

// remove adds the absence of each statement that has an effect and declares nothing.
// A declaration cannot be removed: what uses it would not compile.
func (c *collector) remove(statements []ast.Stmt) {
	for _, s := range statements {
		switch s := s.(type) {
		case *ast.ExprStmt, *ast.IncDecStmt, *ast.BranchStmt:
			c.add(s, s.Pos(), s.End(), "")
		case *ast.AssignStmt:
			if s.Tok != token.DEFINE {
				c.add(s, s.Pos(), s.End(), "")
			}
		}
	}
}

// isText reports whether a sum has a text in it: texts cannot be subtracted.
func isText(n ast.Expr) bool {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		return isText(n.X) || isText(n.Y)
	case *ast.BasicLit:
		return n.Kind == token.STRING
	}
	return false
}

// text is the source between two places.
func (c *collector) text(from, to token.Pos) string {
	return string(c.source[c.set.Position(from).Offset:c.set.Position(to).Offset])
}

// add adds a mutant of a node.
func (c *collector) add(n ast.Node, from, to token.Pos, text string) {
	p, q := c.set.Position(from), c.set.Position(to)
	// The line is shown to a reader, who judges whether the change means anything.
	line := strings.Split(string(c.source), "\n")[p.Line-1]
	what := fmt.Sprintf("%q becomes %q in %q", c.text(from, to), text, strings.TrimSpace(line))
	if text == "" { // the whole statement goes, so that its line says all
		what = fmt.Sprintf("%q goes", strings.TrimSpace(line))
	}
	c.all = append(c.all, mutant{c.file, p.Line, p.Offset, q.Offset, text, what, n})
}
