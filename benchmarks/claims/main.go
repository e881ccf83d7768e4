// Command claims writes a trace of claims in ETF, of which distances, behaviours and critical paths of claims are measured: items go
// through seven steps, each of which claims one of some machines for a while, and depends on the step before. Items begin one after the
// other and overtake each other. Every claim has three attributes. The same options give the same bytes.
//
//	claims -claims 1000000 -seed 1 -o trace.etf
package main

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
)

// stepsOf are the steps of an item, and machines how many there are of each.
var stepsOf = [...]string{"load", "align", "measure", "expose", "rinse", "inspect", "unload"}

const machines = 4

func main() {
	claims := flag.Int("claims", 1_000_000, "how many claims to write, at least")
	seed := flag.Uint64("seed", 1, "of the times")
	path := flag.String("o", "trace.etf", "the file")
	flag.Parse()
	if err := write(*path, *claims, *seed); err != nil {
		fmt.Fprintln(os.Stderr, "claims:", err)
		os.Exit(1)
	}
}

// write writes the file.
func write(path string, claims int, seed uint64) (err error) {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(f, 1<<20)
	trace(w, claims, seed)
	if err := w.Flush(); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

// trace writes the resources, then item after item. The writer keeps its first error.
func trace(w io.Writer, claims int, seed uint64) {
	r := rand.New(rand.NewPCG(seed, 15))
	fmt.Fprintln(w, "TU MICROSECONDS")
	for step, name := range stepsOf {
		for m := range machines {
			fmt.Fprintf(w, "R %d 1 false;name=%s-%d\n", step*machines+m, name, m)
		}
	}
	begin := int64(0)
	for item := 0; item*len(stepsOf) < claims; item++ {
		begin += 20 + r.Int64N(60)
		at := begin
		for step, name := range stepsOf {
			claim := item*len(stepsOf) + step
			at += r.Int64N(30)
			end := at + 10 + r.Int64N(200)
			fmt.Fprintf(w, "C %d %d %d %d 1;id=%d,name=%s,kind=%c\n", claim, at, end, step*machines+r.IntN(machines), item, name, 'a'+r.IntN(3))
			if step > 0 {
				fmt.Fprintf(w, "D %d 2 %d %d;\n", claim, claim-1, claim)
			}
			at = end
		}
	}
}
