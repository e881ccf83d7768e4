package lake_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/testdata/expect"
)

// hidden is the lease of a process of another space of process numbers, where this one's number says nothing. It is renewed n times.
func hidden(n int) []byte {
	return fmt.Appendf(nil, `{"host":"h","machine":"elsewhere","pid":%d,"started":"1","token":"hidden"}%s`, 1<<22+7, strings.Repeat("\n", n))
}

// leasesOf lists the leases that there are.
func leasesOf(s *memoryStorage) []string {
	names, _ := s.List("_leases")
	return names
}

// TestHiddenHolder waits for a process of which nothing is known until its lease has not been renewed for two minutes, each renewal
// included, and not a second longer. Time is that of a bubble, where nothing else runs.
func TestHiddenHolder(t *testing.T) {
	for renewals := range 3 {
		synctest.Test(t, func(t *testing.T) {
			l, s := inMemory(t)
			s.files["_leases/run=a.1.json"] = hidden(0)
			told := 0
			l.Waiting = func(b *lake.BusyError) {
				told++
				expect.Equal(t, b.Error()[:len("run a: process 4194311 on h")], "run a: process 4194311 on h", "who is waited for")
			}
			began := time.Now()
			go func() {
				for n := range renewals {
					time.Sleep(100 * time.Second)
					expect.OK(t, s.Replace("_leases/run=a.1.json", hidden(n+1)))
				}
			}()
			release := expect.Value(l.Lease(t.Context(), run))(t)
			waited := time.Since(began) - time.Duration(renewals)*100*time.Second
			if waited < 2*time.Minute || waited > 2*time.Minute+time.Second {
				t.Errorf("after %d renewals it waited for %v", renewals, waited)
			}
			expect.Equal(t, told, 1, "how often the wait is told")
			expect.Slice(t, leasesOf(s), []string{"run=a.2.json"}, "leases")
			release()
			expect.Equal(t, len(leasesOf(s)), 0, "leases after the release")
		})
	}
}

// touched counts how often leases are renewed.
type touched struct {
	*memoryStorage
	times atomic.Int64
}

func (s *touched) Touch(string) error { s.times.Add(1); return nil }

// TestRenewal touches the file of a lease every ten seconds, as long as it is held.
func TestRenewal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &touched{memoryStorage: &memoryStorage{files: make(map[string][]byte)}}
		l := expect.Value(lake.OpenStorage(s, true))(expect.Must(t))
		first := expect.Value(l.Lease(t.Context(), run))(t)
		second := expect.Value(l.Lease(t.Context(), run))(t) // of this process, which shares it
		first()
		time.Sleep(61 * time.Second)
		expect.Equal(t, s.times.Load(), 6, "renewals in a minute")
		second()
		time.Sleep(time.Minute)
		expect.Equal(t, s.times.Load(), 6, "renewals after the release")
	})
}

// TestThreeGenerations succeeds two holders that have ended, and takes away what all of them were about to commit, and nothing of others.
func TestThreeGenerations(t *testing.T) {
	l, s := inMemory(t)
	s.files["_leases/run=a.1.json"], s.files["_leases/run=a.2.json"] = ended(1), ended(2)
	for _, name := range []string{"run=a.1.t1.commit", "run=a.2.t2.commit", "run=ab.1.t3.commit"} {
		s.files["_leases/"+name] = nil
	}
	release := expect.Value(l.Lease(t.Context(), run))(t)
	expect.Slice(t, leasesOf(s), []string{"run=a.3.json", "run=ab.1.t3.commit"}, "leases and what is about to be committed")
	release()
}

// meantime does something the first time that a lease is claimed, right after that.
type meantime struct {
	*memoryStorage
	then func()
}

func (s *meantime) Claim(name string, text []byte) error {
	err := s.memoryStorage.Claim(name, text)
	if then := s.then; then != nil && name != "_lake.json" {
		s.then = nil
		then()
	}
	return err
}

// TestNumbersComeAgain takes back a claim where the lease before it is another one by then, or a younger one is there: that one has the
// partition.
func TestNumbersComeAgain(t *testing.T) {
	for _, other := range []string{"_leases/run=a.2.json", "_leases/run=a.4.json"} {
		synctest.Test(t, func(t *testing.T) {
			s := &meantime{memoryStorage: &memoryStorage{files: make(map[string][]byte)}}
			l := expect.Value(lake.OpenStorage(s, true))(expect.Must(t))
			s.files["_leases/run=a.1.json"], s.files["_leases/run=a.2.json"] = ended(1), ended(2)
			s.then = func() { s.files[other] = hidden(0) }
			ctx, stop := context.WithTimeout(t.Context(), time.Minute)
			defer stop()
			_, err := l.Lease(ctx, run)
			expect.Equal(t, errors.Is(err, context.DeadlineExceeded), true, "%s: %v", other, err)
			expect.Equal(t, slices.Contains(leasesOf(s.memoryStorage), "run=a.3.json"), false, "the claim is left")
		})
	}
}

// TestSuccessorThatEnds has a successor claim its generation and end, before it took away the lease of the holder: the holder commits. One of
// another machine, of which nothing more is heard, has the lease when it would have expired, here after three seconds.
func TestSuccessorThatEnds(t *testing.T) {
	for _, c := range []struct {
		successor []byte
		lost      bool
	}{{ended(1), false}, {hidden(0), true}} {
		synctest.Test(t, func(t *testing.T) {
			l, s := inMemory(t)
			release := expect.Value(l.Lease(t.Context(), run))(t)
			defer release()
			l.SetExpiry(3 * time.Second)
			s.files["_leases/run=a.2.json"] = c.successor
			began := time.Now()
			err := commitVersion(l, run, 1, "other")
			waited := time.Since(began)
			if c.lost {
				fails(t, err, "took over", "run it again")
				if waited < 3*time.Second || waited > 4*time.Second {
					t.Errorf("it waited for %v", waited)
				}
				return
			}
			expect.OK(t, err)
			expect.Equal(t, waited < time.Second, true, "it waited for %v", waited)
			expect.Slice(t, leasesOf(s), []string{"run=a.1.json"}, "leases")
		})
	}
}
