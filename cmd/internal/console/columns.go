package console

import (
	"io"
	"os"
	"strconv"

	"golang.org/x/term"

	"github.com/tracelake/tracelake/stages/report/texttab"
)

// Columns returns how many columns a table may take on a terminal, also behind a Plain: what the variable COLUMNS says, or the terminal itself, and
// texttab.LeastColumns at least. It is 0, which is no limit, for files and pipes: what a program or an editor reads is not cut.
func Columns(out io.Writer) int {
	f := terminal(out)
	if f == nil {
		return 0
	}
	columns, err := strconv.Atoi(os.Getenv("COLUMNS"))
	if err != nil || columns <= 0 {
		if columns, _, err = term.GetSize(int(f.Fd())); err != nil || columns <= 0 {
			return 0
		}
	}
	return max(columns, texttab.LeastColumns)
}
