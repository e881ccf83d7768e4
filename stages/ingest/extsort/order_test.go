package extsort_test

import (
	"cmp"
	"errors"
	"io"
	"math/rand"
	"slices"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/extsort"
	"github.com/tracelake/tracelake/testdata/expect"
)

type record struct {
	key  int64
	came int64
}

func byKey(a, b *record) int { return cmp.Compare(a.key, b.key) }

// memoryScratch is a scratch file in memory; it can be told to be full.
type memoryScratch struct {
	data   []byte
	full   bool
	cut    bool // what was written is gone
	closed bool
}

var errFull = errors.New("no space left")

func (m *memoryScratch) WriteAt(p []byte, at int64) (int, error) {
	if m.full {
		return 0, errFull
	}
	if need := int(at) + len(p); need > len(m.data) {
		m.data = append(m.data, make([]byte, need-len(m.data))...)
	}
	return copy(m.data[at:], p), nil
}

func (m *memoryScratch) ReadAt(p []byte, at int64) (int, error) {
	if m.cut {
		return 0, io.EOF
	}
	if n := copy(p, m.data[at:]); n < len(p) {
		return n, io.EOF
	}
	return len(p), nil
}

func (m *memoryScratch) Close() error { m.closed = true; return nil }

// sorted sorts keys with so much memory and says how many bytes went to scratch.
func sorted(t *testing.T, keys []int64, memory int64) ([]record, int) {
	t.Helper()
	file := new(memoryScratch)
	s := extsort.NewSorter(byKey, memory, func() (schema.Scratch, error) { return file, nil })
	for i, k := range keys {
		expect.OK(t, s.Add(record{k, int64(i)}))
	}
	var got []record
	expect.OK(t, s.Each(func(r *record) error { got = append(got, *r); return nil }))
	if err := s.Close(); err != nil || len(file.data) > 0 && !file.closed {
		t.Fatalf("close: %v, closed %v", err, file.closed)
	}
	return got, len(file.data)
}

// TestSorterIsStable compares with a stable sort in memory, for inputs in and out of order, with and without spilling.
func TestSorterIsStable(t *testing.T) {
	random := rand.New(rand.NewSource(1))
	for _, n := range []int{0, 1, 2, 16, 17, 1000, 5000, 40000} {
		for _, spread := range []int64{1, 10, 1 << 40} {
			for _, near := range []bool{false, true} {
				keys := make([]int64, n)
				want := make([]record, n)
				for i := range keys {
					if keys[i] = random.Int63n(spread); near {
						keys[i] = int64(i) + random.Int63n(3)
					}
					want[i] = record{keys[i], int64(i)}
				}
				slices.SortStableFunc(want, func(a, b record) int { return cmp.Compare(a.key, b.key) })
				for _, memory := range []int64{0, 1 << 16, 1 << 30} {
					got, spilt := sorted(t, keys, memory)
					if !slices.Equal(got, want) {
						t.Fatalf("%d records of %d keys in %d bytes are not in order", n, spread, memory)
					}
					if (spilt > 0) != (memory < 1<<30 && n > 4096 || memory == 0 && n > 1024) && n != 1000 {
						t.Errorf("%d records in %d bytes of memory: %d bytes were spilt", n, memory, spilt)
					}
				}
			}
		}
	}
}

// TestSorterWeaves sorts records that come in ordered runs: of several lengths, overlapping little, much and not at all,
// with equal keys in several runs and with pieces that are mixed between them.
func TestSorterWeaves(t *testing.T) {
	random := rand.New(rand.NewSource(4))
	for range 60 {
		n, longest, steps, spread := 1+random.Intn(60000), 1+random.Intn(60), 1+random.Int63n(4), 1+random.Int63n(1<<random.Intn(20))
		var keys []int64
		for len(keys) < n {
			key, mixed := random.Int63n(spread), random.Intn(20) == 0
			for range 1 + random.Intn(longest) {
				if key += random.Int63n(steps); mixed {
					key = random.Int63n(spread)
				}
				keys = append(keys, key)
			}
		}
		want := make([]record, len(keys))
		for i, k := range keys {
			want[i] = record{k, int64(i)}
		}
		slices.SortStableFunc(want, func(a, b record) int { return cmp.Compare(a.key, b.key) })
		for _, memory := range []int64{0, 1 << 16, 1 << 19, 1 << 30} {
			if got, _ := sorted(t, keys, memory); !slices.Equal(got, want) {
				t.Fatalf("%d records in runs of up to %d, steps below %d, of %d keys, in %d bytes are not in order", n, longest, steps, spread, memory)
			}
		}
	}
}

// TestSorterAgain uses a sorter twice, with spilling and without, and stops in between.
func TestSorterAgain(t *testing.T) {
	errEnough := errors.New("enough")
	for _, n := range []int64{100, 5000} {
		s := extsort.NewSorter(byKey, 0, func() (schema.Scratch, error) { return new(memoryScratch), nil })
		for round, stop := range []int64{3, n, 0, n} {
			for i := range n {
				expect.OK(t, s.Add(record{i * 7919 % n, i}))
			}
			at := int64(0)
			err := s.Each(func(r *record) error {
				if r.key != at {
					t.Fatalf("round %d of %d: record %d is %d", round, n, at, r.key)
				}
				if at++; at > stop {
					return errEnough
				}
				return nil
			})
			if (err == errEnough) != (stop < n) || stop == n && at != n {
				t.Errorf("round %d of %d: %d records, %v", round, n, at, err)
			}
		}
	}
}

// TestSorterTellsOfAFullDisk passes on the error of the scratch file.
func TestSorterTellsOfAFullDisk(t *testing.T) {
	s := extsort.NewSorter(byKey, 0, func() (schema.Scratch, error) { return &memoryScratch{full: true}, nil })
	var err error
	for i := int64(0); i < 2000 && err == nil; i++ {
		err = s.Add(record{key: i})
	}
	if !errors.Is(err, errFull) {
		t.Errorf("the error is %v", err)
	}
}

// TestSorterTellsOfAShortFile finds that bytes are missing.
func TestSorterTellsOfAShortFile(t *testing.T) {
	file := new(memoryScratch)
	s := extsort.NewSorter(byKey, 0, func() (schema.Scratch, error) { return file, nil })
	for i := int64(0); i < 5000; i++ {
		expect.OK(t, s.Add(record{key: -i}))
	}
	file.cut = true
	if err := s.Each(func(*record) error { return nil }); err == nil {
		t.Error("records were read that are not there")
	}
}

// TestTournamentMerges merges random streams and compares with a stable sort by key and stream.
func TestTournamentMerges(t *testing.T) {
	random := rand.New(rand.NewSource(2))
	for range 300 {
		streams := make([][]int64, random.Intn(9))
		var want []record
		for i := range streams {
			for range random.Intn(20) {
				streams[i] = append(streams[i], random.Int63n(15))
			}
			slices.Sort(streams[i])
			for _, k := range streams[i] {
				want = append(want, record{k, int64(i)})
			}
		}
		slices.SortStableFunc(want, func(a, b record) int {
			return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.came, b.came))
		})
		expect.Slice(expect.Must(t), merge(t, streams), want, "merged %v", streams)
	}
}

// merge takes runs of streams as long as Min allows.
func merge(t *testing.T, streams [][]int64) (got []record) {
	keys := make([]int64, len(streams))
	head := func(i int) int64 {
		if len(streams[i]) == 0 {
			return extsort.Done
		}
		return streams[i][0]
	}
	for i := range keys {
		keys[i] = head(i)
	}
	tournament := extsort.NewTournament(keys)
	for {
		i, until := tournament.Min()
		if i < 0 {
			return got
		}
		if head(i) >= until {
			t.Fatalf("stream %d wins with %d and may go on until %d", i, head(i), until)
		}
		for head(i) < until {
			got = append(got, record{head(i), int64(i)})
			streams[i] = streams[i][1:]
		}
		tournament.Update(head(i))
	}
}

func BenchmarkSorter(b *testing.B) {
	const n = 1 << 20
	random := rand.New(rand.NewSource(3))
	for _, test := range []struct {
		name   string
		key    func(i int) int64
		memory int64
	}{
		{"in order", func(i int) int64 { return int64(i) }, 1 << 30},
		{"nearly", func(i int) int64 { return int64(i) + random.Int63n(40) }, 1 << 30},
		{"random", func(int) int64 { return random.Int63() }, 1 << 30},
		{"runs", func(i int) int64 { return int64(i/32*7919%(n/32))*8 + int64(i%32) }, 1 << 30},
		{"random, spilt", func(int) int64 { return random.Int63() }, 1 << 20},
	} {
		b.Run(test.name, func(b *testing.B) {
			for b.Loop() {
				s := extsort.NewSorter(byKey, test.memory, func() (schema.Scratch, error) { return new(memoryScratch), nil })
				for i := range n {
					expect.OK(b, s.Add(record{key: test.key(i)}))
				}
				expect.OK(b, s.Each(func(*record) error { return nil }))
			}
			b.ReportMetric(n*float64(b.N)/b.Elapsed().Seconds(), "records/s")
		})
	}
}

func BenchmarkTournament(b *testing.B) {
	const n = 1 << 20
	keys := make([]int64, 16)
	for b.Loop() {
		for i := range keys {
			keys[i] = int64(i)
		}
		t := extsort.NewTournament(keys)
		for at := int64(16); at < n; at++ {
			t.Min()
			t.Update(at)
		}
	}
	b.ReportMetric(n*float64(b.N)/b.Elapsed().Seconds(), "events/s")
}

// TestPour brings records from one order into another, with the memory of those that are visited, and with spilling of either sorter.
func TestPour(t *testing.T) {
	random := rand.New(rand.NewSource(15))
	for _, n := range []int{0, 1, 5000, 100_000, 300_000} {
		for _, memory := range []int64{1 << 20, 1 << 30} {
			scratch := func() (schema.Scratch, error) { return new(memoryScratch), nil }
			byCame := func(a, b *record) int { return cmp.Compare(a.came, b.came) }
			first, then := extsort.NewSorter(byKey, memory, scratch), extsort.NewSorter(byCame, memory, scratch)
			for i := range n {
				// Runs of some records, and a record that comes much later now and then.
				key := int64(i) - random.Int63n(3)
				if random.Intn(1000) == 0 {
					key = random.Int63n(int64(n))
				}
				expect.OK(t, first.Add(record{key, int64(i)}))
			}
			last := int64(-5)
			expect.OK(t, first.Pour(then, func(r *record) error {
				if r.key < last {
					t.Fatalf("of %d in %d bytes %d comes after %d", n, memory, r.key, last)
				}
				last = r.key
				return then.Add(*r)
			}))
			next := int64(0)
			expect.OK(t, then.Each(func(r *record) error {
				if r.came != next {
					t.Fatalf("of %d in %d bytes %d comes after %d", n, memory, r.came, next-1)
				}
				next++
				return nil
			}))
			expect.Equal(t, next, int64(n), "records")
			expect.OK(t, errors.Join(first.Close(), then.Close()))
		}
	}
}
