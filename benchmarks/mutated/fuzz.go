// Package mutated calls the body of a fuzz target with mutated inputs, many times in the process of the test. The fuzzer of Go follows the
// coverage, for which it compiles counters into everything and counts them after every input, and it hands inputs from process to process: that
// finds inputs worth keeping, and takes 10 to 100 times as long as the body of a small target. Here the inputs that it kept are changed
// at random, at the speed of the target.
//
// benchmarks/fuzzing compiles targets with Fuzz in the place of (*testing.F).Fuzz: the targets themselves do not know this package.
package mutated

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
	"testing"
	"time"
)

// Variable is the variable of the environment that has the plan, as JSON.
const Variable = "TRACELAKE_MUTATED"

// Plan says how many inputs a target is called with.
type Plan struct {
	Execs  int64         // at most so many inputs
	For    time.Duration // and for at most so long
	First  int64         // how many there were before: the same number gives the same random changes
	Corpus string        // the folder of inputs that the fuzzer of Go kept; it may not be there
}

// PerTest is how many inputs share one test: what a body leaves to the end of its test, as temporary folders, is gone after so many.
const PerTest = 1000

// A body that needs longer for one input hangs, and one that holds more is out of bounds: inputs are of some thousand bytes at most.
const (
	longest  = time.Minute // of a machine that does much else, too
	mostHeap = 3 << 30     // bytes
)

// runner calls the body of a target.
type runner struct {
	f      *testing.F
	body   reflect.Value
	corpus corpus
	plan   Plan
	end    time.Time
	random *rand.Rand
	more   bool         // another call in the test in hand
	calls  atomic.Int64 // of the body, for who watches
	execs  int64        // mutated inputs
	input  atomic.Pointer[input]
}

// Fuzz calls a body with what f has as seeds, with what the fuzzer of Go kept, and then with mutations of these. It prints how many there were as
// the fuzzer does. An input that fails is written to the folder of testdata where go test finds it.
func Fuzz(f *testing.F, body any) {
	r := &runner{f: f, body: reflect.ValueOf(body)}
	if err := json.Unmarshal([]byte(os.Getenv(Variable)), &r.plan); err != nil {
		f.Fatal(err)
	}
	f.Fuzz(reflect.MakeFunc(r.body.Type(), func(args []reflect.Value) []reflect.Value {
		r.corpus.add(inputOf(args[1:]))
		return r.body.Call(args)
	}).Interface())
	if f.Failed() {
		return
	}
	if err := r.corpus.read(r.plan.Corpus, r.body.Type()); err != nil {
		f.Fatal(err)
	}
	begin := time.Now()
	r.end = begin.Add(r.plan.For)
	go r.watch()
	sound := r.test(r.weigh)
	for sound && r.execs < r.plan.Execs && time.Now().Before(r.end) {
		r.random = rand.New(rand.NewPCG(uint64(r.plan.First+r.execs), 1))
		sound = r.test(r.mutations)
	}
	fmt.Printf("fuzz: elapsed: %v, execs: %d, corpus: %d\n", time.Since(begin), r.execs, len(r.corpus.inputs))
	if !sound {
		f.Fail()
	}
}

// test runs a test of its own, which ends before the next one begins. A body that ends its goroutine, as one does that skips an input, is
// called again in the next one.
func (r *runner) test(step func(t *testing.T)) (sound bool) {
	all := func(string, string) (bool, error) { return true, nil }
	return testing.RunTests(all, []testing.InternalTest{{Name: r.f.Name(), F: func(t *testing.T) {
		for r.more = true; r.more && !t.Failed(); {
			ended := make(chan struct{})
			go func() {
				defer close(ended)
				defer func() {
					if p := recover(); p != nil {
						t.Errorf("panic: %v\n%s", p, debug.Stack())
					}
				}()
				for r.more && !t.Failed() {
					step(t)
				}
			}()
			<-ended
		}
		if t.Failed() {
			t.Log(r.keep())
		}
	}}})
}

// call calls the body with an input, which the body may change.
func (r *runner) call(t *testing.T, in input) {
	r.input.Store(&in)
	r.calls.Add(1)
	r.body.Call(in.values(t))
}

// weigh calls the body with the next input of the corpus as it is, and notes how long that takes.
func (r *runner) weigh(t *testing.T) {
	n := len(r.corpus.took)
	if r.more = n < len(r.corpus.inputs); !r.more {
		r.corpus.weigh()
		return
	}
	r.corpus.took = append(r.corpus.took, 0)
	began := time.Now()
	defer func() { r.corpus.took[n] = time.Since(began) }()
	r.call(t, r.corpus.inputs[n])
}

// mutations calls the body with one mutated input.
func (r *runner) mutations(t *testing.T) {
	r.execs++
	r.more = r.execs%PerTest != 0 && r.execs < r.plan.Execs && (r.execs%16 != 0 || time.Now().Before(r.end))
	r.call(t, r.corpus.mutated(r.random))
}

// keep writes the input in hand to where go test finds it, and says where.
func (r *runner) keep() string {
	path := filepath.Join("testdata", "fuzz", r.f.Name(), r.input.Load().name())
	err := os.MkdirAll(filepath.Dir(path), 0o777)
	if err == nil {
		err = os.WriteFile(path, r.input.Load().text(), 0o666)
	}
	if err != nil {
		return err.Error()
	}
	return "the input is " + path
}

// watch ends the process where the body hangs or holds too much.
func (r *runner) watch() {
	heap := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	var calls int64
	for since := time.Now(); ; time.Sleep(100 * time.Millisecond) {
		if now := r.calls.Load(); now != calls {
			calls, since = now, time.Now()
		}
		metrics.Read(heap)
		long, large := calls > 0 && time.Since(since) > longest, heap[0].Value.Uint64() > mostHeap
		if !long && !large {
			continue
		}
		stacks := make([]byte, 1<<20) // 1 MiB has the stacks of a test
		stacks = stacks[:runtime.Stack(stacks, true)]
		fmt.Printf("the body hangs: %v, holds %d bytes; %s\n%s\nfuzz: elapsed: %v, execs: %d\n", long, heap[0].Value.Uint64(), r.keep(), stacks, time.Since(r.end.Add(-r.plan.For)), calls)
		os.Exit(2)
	}
}
