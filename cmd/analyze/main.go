// Command analyze runs the analyses over the runs of a lake, compares runs, and answers questions in SQL.
package main

import (
	"os"

	"github.com/tracelake/tracelake/cmd/internal/console"
)

func main() { os.Exit(console.Main("analyze", run)) }
