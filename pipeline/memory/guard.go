// Package memory holds a process to the bytes that it may take. What grows with rows is planned in advance, task by task
// (pipeline.Stage.BytesPerRow). What grows with the number of names, of open calls or of subjects is known only while it is built,
// so the process is watched: what it has resident is compared with its budget some hundred times a second, and a process that needs
// more than that ends with a sentence that says what to raise. The lake stays sound, as it does when a process is killed.
package memory

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"sync"
	"time"

	"github.com/tracelake/tracelake/stages/report/texttab"
)

// ExceededError is the error of a process, or of a part of it, that needs more memory than its budget.
type ExceededError struct {
	What   string // what needs it: a noun in the plural; "" where that is not known
	Budget int64  // of the process, in bytes
	Needs  int64  // what the process needs at least, in bytes; 0 where that is not known
}

// step is what a budget that is asked for is a multiple of.
const step = 64 << 20

// Error says what does not fit, and what to raise.
func (e *ExceededError) Error() string {
	what := e.What
	if what == "" {
		what = "names of functions and components, open calls, or what is compared"
	}
	ask := (max(2*e.Budget, e.Needs) + step - 1) / step * step
	return fmt.Sprintf("%s need more memory than --memory %s: raise it to %s or more; the lake is sound", what, texttab.Bytes(e.Budget), texttab.Bytes(ask))
}

// Held is how many bytes of the heap garbage collection last found to be in use.
func Held() int64 {
	held := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(held)
	return int64(held[0].Value.Uint64())
}

// The shares of a budget, in per cent. A process may take 110.
const (
	farPercent   = 35  // until which it is looked at most seldom: what it takes in that time is far less than the rest
	sparePercent = 70  // until which it is looked at seldom
	easePercent  = 85  // of what it needs, from which on it is asked to give up a part of its work
	clearPercent = 101 // from which on garbage is collected at once, whatever it costs
	stopPercent  = 104 // of what it needs, from which on it is asked to stop
	endPercent   = 106 // from which on it is ended: the rest is for what it takes until that is noticed
)

// The time between two looks at a process that has taken most of its budget, at one that has not, and at one that is far from it.
const (
	often      = time.Millisecond
	seldom     = 4 * time.Millisecond
	mostSeldom = 4 * seldom
)

// The least time between two collections of garbage that the guard asks for, and between two times that it unmaps the program; and
// between two collections where the process is to stop unless there is garbage.
const (
	clearPause  = time.Second
	urgentPause = time.Second / 10
)

// easePause is the least time between two times that a process is asked to give up a part of its work: what it gave up has to end, and becomes garbage.
const easePause = time.Second / 2

// guard watches the memory of this process.
type guard struct {
	budget   int64
	stop     func()        // asks the process to stop, once
	ease     func()        // asks the process to give up a part of its work
	eased    time.Time     // when it last did
	clearing chan struct{} // is closed when garbage is collected that the guard asked for; nil where it did not
	cleared  time.Time     // when it last asked
	program  mappings      // of what is only read
	unmapped time.Time     // when the program was last unmapped
	heap     []metrics.Sample
}

// Watch holds this process to a budget of bytes, from now on. Where what it needs is more than that, stop is called once, with the error
// that the program is to end with; where it grows on all the same, or its garbage comes faster than it can be collected, the process
// ends with exit code 1 and the same sentence behind the name of the program. Nothing is watched where the system does not say what a
// process has resident.
//
// Before, where what it needs comes near to its budget, ease is called with the same error, again and again: a process that works for several at a time may
// give up what it does for them, and go on.
func Watch(program string, budget int64, ease, stop func(error)) {
	if resident() == 0 {
		return
	}
	exceeded := &ExceededError{Budget: budget}
	g := &guard{budget: budget, program: mappingsOfProgram(), stop: sync.OnceFunc(func() { stop(exceeded) }), ease: func() { ease(exceeded) }}
	for _, name := range []string{"objects", "unused", "free"} {
		g.heap = append(g.heap, metrics.Sample{Name: "/memory/classes/heap/" + name + ":bytes"})
	}
	endBeyond(g.share(farPercent), g.share(sparePercent), g.share(clearPercent), g.share(endPercent), program+": "+exceeded.Error()+"\n")
	go func() {
		for {
			time.Sleep(g.look(resident()))
		}
	}()
}

// look compares what is resident with the budget, and returns after which time to look again.
func (g *guard) look(now int64) time.Duration {
	if now < g.share(farPercent) {
		return mostSeldom
	}
	if now < g.share(sparePercent) {
		return seldom
	}
	if time.Since(g.unmapped) > clearPause {
		g.program.unmap()
		g.unmapped = time.Now()
	}
	if now > g.share(easePercent) && time.Since(g.eased) > easePause && g.needed(now) > g.share(easePercent) {
		g.eased = time.Now()
		g.ease()
	}
	if now > g.share(stopPercent) && g.needed(now) > g.share(stopPercent) {
		g.stop()
	}
	if now > g.share(clearPercent) {
		g.clear(now)
	}
	return often
}

// clear has garbage collected that the runtime has not come to, while the guard looks on. What then is still there is needed.
func (g *guard) clear(now int64) {
	select {
	case <-g.clearing:
		g.clearing = nil
		if resident() > g.share(stopPercent) {
			g.stop()
		}
	default:
		pause := clearPause
		if now > g.share(stopPercent) {
			pause = urgentPause
		}
		if g.clearing == nil && time.Since(g.cleared) > pause {
			done := make(chan struct{})
			g.clearing, g.cleared = done, time.Now()
			go func() {
				debug.FreeOSMemory()
				close(done)
			}()
		}
	}
}

func (g *guard) share(percent int64) int64 { return g.budget / 100 * percent }

// needed is what is resident without what may be garbage: objects that were not there, or not reached, when garbage was last collected,
// and pages that no object is in. It is the least that the process needs.
func (g *guard) needed(now int64) int64 {
	metrics.Read(g.heap)
	value := func(i int) int64 { return int64(g.heap[i].Value.Uint64()) }
	objects, unused, free := value(0), value(1), value(2)
	return now - max(objects-Held(), 0) - unused - free
}

// statm is the file in which the system says what is resident, open for as long as the process lives; nil where there is none.
var statm = sync.OnceValue(func() *os.File {
	file, err := os.Open("/proc/self/statm")
	if err != nil {
		return nil
	}
	return file
})

// Unmap gives back the pages of the program that it needed to start, and those that it needs seldom: what goes on for hours has them
// counted all that time. Those that are needed come back.
func Unmap() { mappingsOfProgram().unmap() }

// resident is how many bytes of this process lie in memory, as the system counts them; 0 where it does not say.
func resident() int64 {
	file := statm()
	if file == nil {
		return 0
	}
	var text [128]byte
	n, err := file.ReadAt(text[:], 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return 0
	}
	fields := bytes.Fields(text[:n])
	if len(fields) < 2 {
		return 0
	}
	pages, _ := strconv.ParseInt(string(fields[1]), 10, 64)
	return pages * int64(os.Getpagesize())
}
