package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// shape is a trace that takes memory by its number of names, threads or open calls and not of rows.
type shape struct {
	name  string // as in the table; %d is the number
	file  string // of the trace, whose end says the format
	share int    // how many things there are of it: one in so many of those that are asked for
	write func(w io.Writer, n int)
}

// shapes are in the order in which they are played.
var shapes = []shape{
	{"%d functions, few", "few.txt", 10, functions},
	{"%d functions", "functions.txt", 1, functions},
	{"%d components", "components.txt", 1, components},
	{"%d threads", "threads.csv", 1, threads},
	{"%d calls left open", "leaked.txt", 1, leaked},
	{"a word of %d letters", "word.txt", 1, word},
}

// functions are called once each, by 20 components in turn.
func functions(w io.Writer, n int) {
	for i := range n {
		fmt.Fprintf(w, "%d Parser%d > function_number_%d\n%d Parser%d < function_number_%d\n", 2*i, i%20, i, 2*i+1, i%20, i)
	}
}

// components have one function each, which is called once.
func components(w io.Writer, n int) {
	for i := range n {
		fmt.Fprintf(w, "%d Component%d > f\n%d Component%d < f\n", 2*i, i, 2*i+1, i)
	}
}

// threads call one function of one component once each.
func threads(w io.Writer, n int) {
	fmt.Fprintln(w, "time,component,thread,function,kind")
	for i := range n {
		fmt.Fprintf(w, "%d,C,T%d,f,start\n%d,C,T%d,f,finish\n", 2*i, i, 2*i+1, i)
	}
}

// leaked are calls within each other that the trace never leaves.
func leaked(w io.Writer, n int) {
	for i := range n {
		fmt.Fprintf(w, "%d C > f\n", i)
	}
}

// word is one fragment of n events: the calls of half as many functions.
func word(w io.Writer, n int) {
	fmt.Fprintln(w, "0 C > root")
	for i := range n / 2 {
		fmt.Fprintf(w, "%d C > f%d\n%d C < f%d\n", 2*i+1, i, 2*i+2, i)
	}
	fmt.Fprintf(w, "%d C < root\n", n+1)
}

// made writes the trace of a shape into a folder.
func (s shape) made(folder string, many int) (path string, err error) {
	path = filepath.Join(folder, s.file)
	file, err := os.Create(path)
	if err != nil {
		return "", err
	}
	w := bufio.NewWriter(file)
	s.write(w, many/s.share)
	return path, errors.Join(w.Flush(), file.Close())
}
