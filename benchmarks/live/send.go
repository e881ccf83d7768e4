package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"
)

const (
	tick   = 10 * time.Millisecond
	marked = 25 // ticks between two executions of the marker
)

// system makes the trace of a system: in every tick all executions that are due, each after the other on the lane of its component. The n-th execution of
// the marker lasts n ns, from which numbered knows it again.
type system struct {
	rate, components int
	rng              *rand.Rand
	markers, at      int64 // at: the time of the trace
	done             int   // executions
	b                []byte
}

func (t *trial) system() *system {
	return &system{rate: t.rate, components: t.components, rng: rand.New(rand.NewPCG(1, 1))}
}

// tick is what the n-th tick writes, counted from 1, so long after the beginning. The bytes are valid until the next one.
func (s *system) tick(n int, after time.Duration) []byte {
	due := int(float64(s.rate) * after.Seconds())
	if s.b = s.b[:0]; n%marked == 0 {
		s.markers++
		s.event(s.at, "marker", -1, " > f\n")
		s.at += s.markers
		s.event(s.at, "marker", -1, " < f\n")
	}
	step := max(1, (after.Nanoseconds()-s.at)/int64(max(1, due-s.done)))
	for ; s.done < due; s.at, s.done = s.at+step, s.done+1 {
		c := s.rng.IntN(s.components)
		s.event(s.at, "component-", c, " > f\n")
		s.event(s.at+step/2, "component-", c, " < f\n")
	}
	return s.b
}

func (s *system) event(ns int64, component string, number int, sign string) {
	s.b = strconv.AppendInt(s.b, ns/1e9, 10)
	s.b = append(s.b, '.')
	for digits := int64(1e8); digits > 0; digits /= 10 {
		s.b = append(s.b, '0'+byte(ns/digits%10))
	}
	s.b = append(append(s.b, ' '), component...)
	if number >= 0 {
		s.b = strconv.AppendInt(s.b, int64(number), 10)
	}
	s.b = append(s.b, sign...)
}

// send sends the trace until ctx ends.
func (t *trial) send(ctx context.Context, to net.Conn) error {
	defer to.Close()
	s, began := t.system(), time.Now()
	for n := 1; ctx.Err() == nil; n++ {
		b := s.tick(n, time.Since(began))
		if n%marked == 0 {
			t.mu.Lock()
			t.sent[s.markers] = time.Now()
			t.markers = append(t.markers, t.sent[s.markers])
			t.mu.Unlock()
		}
		if _, err := to.Write(b); err != nil {
			return fmt.Errorf("the traced system is held up: %w", err)
		}
		time.Sleep(max(0, time.Duration(n)*tick-time.Since(began)))
	}
	fmt.Fprintf(t.out, "%d executions in %.1f s\n", s.done, time.Since(began).Seconds())
	return nil
}

// baseline is the run that pages compare with.
const baseline = "base"

// store makes the run of a system that did the same for a time.
func (t *trial) store(ctx context.Context) error {
	path := filepath.Join(t.dir, "base.txt")
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	s := t.system()
	for n := 1; time.Duration(n)*tick <= t.against && err == nil; n++ {
		_, err = file.Write(s.tick(n, time.Duration(n)*tick))
	}
	if err := errors.Join(err, file.Close()); err != nil {
		return err
	}
	if out, err := exec.CommandContext(ctx, filepath.Join(t.bin, "ingest"), "--quiet", "--lake", t.lake, "--run", baseline, path).CombinedOutput(); err != nil {
		return fmt.Errorf("the baseline: %w: %s", err, out)
	}
	return os.Remove(path)
}

// numbered is the number of the last execution of the marker that a run has, given how many it has, one after the other, and the sum of their
// times: in a series a run begins with any of them.
func numbered(calls, busyNs int64) int64 {
	if calls == 0 {
		return 0
	}
	return (2*busyNs/calls + calls - 1) / 2
}
