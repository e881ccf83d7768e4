package texttab

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/rivo/uniseg"
)

// LeastColumns is the width of the narrowest terminal that tables fit into. leastName is that of a name which is shortened: two thirds of names are
// told apart by as much.
const (
	LeastColumns = 80
	leastName    = 24
)

// FitInto makes a table at most so many columns of a terminal wide. Names, which are the cells of one column, are shortened in the middle first, since
// they differ at both ends. Where that is not enough, columns are left out, in the order in which their headers are given. It returns a sentence
// that says what was done, "" where the table fits as it is.
//
//	To fit 80 columns, names are shortened, and share and q are left out: a wider terminal, a file or --format json has all.
func (t *Table) FitInto(columns, names int, drop ...string) string {
	var left []string
	for {
		over := t.width() - columns
		if over <= 0 || len(t.rows) == 0 {
			return fitted(columns, left, false)
		}
		width := t.widthOf(names)
		if shorter := max(width-over, min(width, leastName)); width-shorter >= over || len(drop) == 0 {
			for _, row := range t.rows[1:] {
				if names < len(row) {
					row[names] = Shorten(row[names], shorter)
				}
			}
			return fitted(columns, left, shorter < width)
		}
		at := slices.Index(t.rows[0], drop[0])
		if at >= 0 {
			left = append(left, drop[0])
			t.dropColumn(at)
			if at < names {
				names--
			}
		}
		drop = drop[1:]
	}
}

// fitted says what was done to make a table fit.
func fitted(columns int, left []string, shortened bool) string {
	var done []string
	if shortened {
		done = append(done, "names are shortened")
	}
	switch n := len(left); {
	case n == 1:
		done = append(done, left[0]+" is left out")
	case n > 1:
		done = append(done, strings.Join(left[:n-1], ", ")+" and "+left[n-1]+" are left out")
	}
	if len(done) == 0 {
		return ""
	}
	return fmt.Sprintf("To fit %d columns, %s: a wider terminal, a file or --format json has all.", columns, strings.Join(done, ", and "))
}

// Columns returns how many cells the longest row has.
func (t *Table) Columns() (n int) {
	for _, row := range t.rows {
		n = max(n, len(row))
	}
	return n
}

// width is how many columns of a terminal the table takes.
func (t *Table) width() (all int) {
	for i := range t.Columns() {
		all += t.widthOf(i) + len(gap)
	}
	return max(0, all-len(gap))
}

// widthOf is how many columns of a terminal a column takes, of which the first row may be the header.
func (t *Table) widthOf(column int) (width int) {
	for _, row := range t.rows {
		if column < len(row) {
			width = max(width, Width(row[column]))
		}
	}
	return width
}

// Shorten leaves out the middle of a text that takes more than so many columns of a terminal. No letter is cut in two.
//
//	lib_vtls_openssl...ossl_init
func Shorten(text string, width int) string {
	const dots = "..."
	if Width(text) <= width {
		return text
	}
	var letters []string
	for g := uniseg.NewGraphemes(text); g.Next(); {
		letters = append(letters, g.Str())
	}
	// The end has the function of a component, and gets what is left over.
	room := max(0, width-len(dots))
	head, tail := "", ""
	for _, letter := range letters {
		if Width(head+letter) > room/2 {
			break
		}
		head += letter
	}
	for _, letter := range slices.Backward(letters) {
		if Width(head)+Width(letter+tail) > room {
			break
		}
		tail = letter + tail
	}
	return head + dots + tail
}

// WriteWrapped writes the rows like Write, but breaks the texts of the last column at their spaces, so that lines take at most so many columns of a
// terminal. The lines of a text stand under each other.
func (t *Table) WriteWrapped(out io.Writer, columns int) error {
	n, indent := t.Columns(), 0
	for i := range n - 1 {
		indent += t.widthOf(i) + len(gap)
	}
	for _, row := range t.rows {
		if len(row) == n && n > 0 {
			lines := Wrap(row[n-1], max(columns-indent, leastName), "")
			row[n-1] = strings.ReplaceAll(lines, "\n", "\n"+strings.Repeat(" ", indent))
		}
	}
	return t.Write(out)
}
