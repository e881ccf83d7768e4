package pipeline_test

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
)

func parseText(set *token.FileSet, name, text string) (*ast.File, error) {
	return parser.ParseFile(set, name, text, parser.SkipObjectResolution)
}

// elsewhere is an importer that knows no package: which files of one package need each other shows without the others.
type elsewhere struct{}

func (elsewhere) Import(string) (*types.Package, error) {
	return nil, errors.New("packages elsewhere are of no interest")
}

// references returns the files of a package that each of its files needs: those that declare a function, a type, a variable,
// a constant, a method or a field that it names.
func references(set *token.FileSet, trees []*ast.File) map[string]map[string]bool {
	// Errors are those of the imports and what follows from them; all names of the package itself are known nevertheless.
	ignored := types.Config{Importer: elsewhere{}, Error: func(error) {}, FakeImportC: true}
	info := types.Info{Uses: make(map[*ast.Ident]types.Object)}
	room, _ := ignored.Check("room", set, trees, &info)
	nameOf := func(p token.Pos) string { return filepath.Base(set.Position(p).Filename) }
	needs := make(map[string]map[string]bool)
	for _, tree := range trees {
		needs[nameOf(tree.Pos())] = make(map[string]bool)
	}
	for name, object := range info.Uses {
		if object.Pkg() == room {
			needs[nameOf(name.Pos())][nameOf(object.Pos())] = true
		}
	}
	return needs
}

// largest returns the largest knot: files each of which needs each other one, itself or by way of others.
func largest(needs map[string]map[string]bool) (knot []string) {
	reached := make(map[string]map[string]bool)
	for from := range needs {
		reached[from] = make(map[string]bool)
		for open := []string{from}; len(open) > 0; {
			last := open[len(open)-1]
			open = open[:len(open)-1]
			for next := range needs[last] {
				if !reached[from][next] {
					reached[from][next] = true
					open = append(open, next)
				}
			}
		}
	}
	for from, there := range reached {
		cycle := []string{from}
		for to := range there {
			if to != from && reached[to][from] {
				cycle = append(cycle, to)
			}
		}
		if len(cycle) > len(knot) {
			knot = cycle
		}
	}
	slices.Sort(knot)
	return knot
}
