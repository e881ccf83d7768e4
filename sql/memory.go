package sql

import (
	"runtime/debug"
	"runtime/metrics"
)

// heldBytes is the memory that the runtime may hold in any case while DuckDB starts: for later, or for what may be garbage.
const heldBytes = 64 << 20

// giveBack returns what the runtime holds and nobody needs to the system, where it may be much. DuckDB takes memory of its own, which
// the limit of the runtime does not count, when an analysis has grown up to that limit and ended. Half as much as DuckDB may take, which is half of
// all, leaves room for both.
func giveBack(duckDBBytes int64) {
	held := []metrics.Sample{
		{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/memory/classes/heap/free:bytes"}, {Name: "/memory/classes/heap/unused:bytes"},
	}
	metrics.Read(held)
	if held[0].Value.Uint64()+held[1].Value.Uint64()+held[2].Value.Uint64() > max(heldBytes, uint64(duckDBBytes)/2) {
		debug.FreeOSMemory()
	}
}
