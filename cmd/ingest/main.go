// Command ingest converts execution traces into runs of a lake.
package main

import (
	"os"

	"github.com/tracelake/tracelake/cmd/internal/console"
)

func main() { os.Exit(console.Main("ingest", run)) }
