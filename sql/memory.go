package sql

import (
	"runtime/debug"
	"runtime/metrics"
)

// idleBytes is the memory that the runtime may hold for later while DuckDB works.
const idleBytes = 16 << 20

// giveBack returns the memory that the runtime holds for later to the system, where that is much. DuckDB takes memory of its own, which
// the limit of the runtime does not count, when an analysis has grown up to that limit and ended.
func giveBack() {
	idle := []metrics.Sample{{Name: "/memory/classes/heap/free:bytes"}, {Name: "/memory/classes/heap/unused:bytes"}}
	if metrics.Read(idle); idle[0].Value.Uint64()+idle[1].Value.Uint64() > idleBytes {
		debug.FreeOSMemory()
	}
}
