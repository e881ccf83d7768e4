package ingest

import (
	"context"
	"errors"

	"golang.org/x/sync/semaphore"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/workers"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/chart/wellformed"
)

// store encodes the rows of all buckets. Each bucket has a goroutine and a queue, so that its row groups
// stay in order; a semaphore bounds how many row groups wait or are encoded at a time.
type store struct {
	staging      *lake.Staging
	builder      *wellformed.Builder
	groups       wellformed.Groups // rows of a row group; set when the number of buckets is known
	group        *workers.Group
	ctx          context.Context     // ends with the first error of an encoder
	room         *semaphore.Weighted // row groups under way
	rows         *freeList[*wellformed.Rows]
	tables       *freeList[*schema.Events] // to encode from
	exchangePool *freeList[*wellformed.Exchanges]
	messagePool  *freeList[*schema.Messages]  // to encode from
	arrivalPool  *freeList[*schema.Arrivals]  // likewise
	couplingPool *freeList[*schema.Couplings] // likewise
	buckets      []*bucketFiles               // nil where a bucket has no rows yet
}

// bucketFiles are the files of one bucket and the row groups that wait for them.
type bucketFiles struct {
	number   int
	queue    chan rowGroup     // in the order in which the builder completes them
	events   *lake.TableWriter // nil until the first row group
	messages *lake.TableWriter
	arrivals *lake.TableWriter
	coupled  *lake.TableWriter
}

// rowGroup is either rows of events, or message exchanges by sender or by receiver, or couplings, with their codes.
type rowGroup struct {
	rows      *wellformed.Rows
	exchanges *wellformed.Exchanges
	arrivals  *wellformed.Exchanges
	couplings *wellformed.Exchanges
	codes     *wellformed.CodeTables // as they were when the row group was full; they only grow
}

// newStore starts no goroutine yet: a bucket starts its own with its first row group. The lists keep as many
// tables as are under way at a time, each of some megabytes.
func newStore(ctx context.Context, staging *lake.Staging, jobs int) *store {
	s := &store{staging: staging, room: semaphore.NewWeighted(int64(jobs) + 2)}
	s.group, s.ctx = workers.WithContext(ctx)
	// The builder keeps back a quarter of a row group.
	s.rows = newFreeList(jobs+4, func() *wellformed.Rows { return wellformed.NewRows(s.groups.Rows + s.groups.Rows/4) })
	s.tables = newFreeList(jobs+2, schema.NewEvents)
	s.exchangePool = newFreeList(jobs+4, func() *wellformed.Exchanges { return wellformed.NewExchanges(s.groups.Messages) })
	s.messagePool = newFreeList(jobs+2, func() *schema.Messages { return schema.NewMessages(new(schema.Names)) })
	s.arrivalPool = newFreeList(jobs+2, func() *schema.Arrivals { return schema.NewArrivals(new(schema.Names)) })
	s.couplingPool = newFreeList(jobs+2, func() *schema.Couplings { return schema.NewCouplings(new(schema.Names)) })
	return s
}

// Fresh implements wellformed.Sink.
func (s *store) Fresh() *wellformed.Rows { return s.rows.take() }

// FreshExchanges implements wellformed.Sink.
func (s *store) FreshExchanges() *wellformed.Exchanges { return s.exchangePool.take() }

// Take implements wellformed.Sink.
func (s *store) Take(bucket int, rows *wellformed.Rows) {
	s.put(bucket, rowGroup{rows: rows, codes: s.builder.CodeTables()})
}

// TakeExchanges implements wellformed.Sink.
func (s *store) TakeExchanges(bucket int, x *wellformed.Exchanges) {
	s.put(bucket, rowGroup{exchanges: x, codes: s.builder.CodeTables()})
}

// TakeArrivals implements wellformed.Sink.
func (s *store) TakeArrivals(bucket int, x *wellformed.Exchanges) {
	s.put(bucket, rowGroup{arrivals: x, codes: s.builder.CodeTables()})
}

// TakeCouplings implements wellformed.Sink.
func (s *store) TakeCouplings(bucket int, x *wellformed.Exchanges) {
	s.put(bucket, rowGroup{couplings: x, codes: s.builder.CodeTables()})
}

// put queues a row group. After a failure it only drops it: the builder need not know.
// It waits while too many row groups are under way, which bounds the memory and slows reading down to the speed of
// encoding.
func (s *store) put(bucket int, g rowGroup) {
	if s.room.Acquire(s.ctx, 1) != nil {
		return
	}
	b := s.bucket(bucket)
	select {
	case b.queue <- g:
	case <-s.ctx.Done():
	}
}

// bucket returns a bucket's files, which it starts at first use.
// Only the builder's goroutine calls it.
func (s *store) bucket(number int) *bucketFiles {
	for len(s.buckets) <= number {
		s.buckets = append(s.buckets, nil)
	}
	if s.buckets[number] == nil {
		b := &bucketFiles{number: number, queue: make(chan rowGroup, 8)}
		s.buckets[number] = b
		s.group.Go(func() error { return s.encode(b) })
	}
	return s.buckets[number]
}

// encode writes a bucket's row groups until its queue is closed.
// One goroutine writes all row groups of a bucket, so that they stay in their order without a lock.
func (s *store) encode(b *bucketFiles) error {
	for {
		select {
		case g, more := <-b.queue:
			if !more {
				return b.finish()
			}
			err := s.write(b, g)
			s.room.Release(1)
			if err != nil {
				return err
			}
		case <-s.ctx.Done():
			b.events.Abandon()
			b.messages.Abandon()
			b.arrivals.Abandon()
			b.coupled.Abandon()
			return s.ctx.Err()
		}
	}
}

// write writes a row group. One that is not full is the last of its table.
// It turns codes of the builder into codes of the table and hands the memory back before it encodes, so that the
// builder can go on.
func (s *store) write(b *bucketFiles, g rowGroup) error {
	switch {
	case g.exchanges != nil:
		return writePooled(s.messagePool, func(m *schema.Messages) error {
			g.codes.Messages(g.exchanges, m)
			s.recycle(g.exchanges)
			return s.writeGroup(&b.messages, "messages", b.number, s.groups.Messages, m)
		})
	case g.arrivals != nil:
		return writePooled(s.arrivalPool, func(a *schema.Arrivals) error {
			g.codes.Arrivals(g.arrivals, a)
			s.recycle(g.arrivals)
			return s.writeGroup(&b.arrivals, "arrivals", b.number, s.groups.Messages, a)
		})
	case g.couplings != nil:
		return writePooled(s.couplingPool, func(c *schema.Couplings) error {
			g.codes.Couplings(g.couplings, c)
			s.recycle(g.couplings)
			return s.writeGroup(&b.coupled, "couplings", b.number, s.groups.Messages, c)
		})
	}
	return writePooled(s.tables, func(ev *schema.Events) error {
		g.codes.Events(g.rows, ev)
		g.rows.Reset()
		s.rows.put(g.rows)
		return s.writeGroup(&b.events, "events", b.number, s.groups.Rows, ev)
	})
}

// recycle hands the memory of exchanges back to the builder.
func (s *store) recycle(x *wellformed.Exchanges) {
	x.Reset()
	s.exchangePool.put(x)
}

// writePooled fills and writes an empty table of a pool, to which it goes back.
func writePooled[T schema.Columns](pool *freeList[T], write func(T) error) error {
	t := pool.take()
	defer pool.put(t)
	schema.Reset(t)
	return write(t)
}

// writeGroup adds a row group to a file, which it creates with the first one. Full row groups are written as they
// come; a shorter one ends the file.
func (s *store) writeGroup(f **lake.TableWriter, table string, bucket, groupRows int, t schema.Columns) (err error) {
	if *f == nil {
		if *f, err = s.staging.CreateTable(table, bucket, streamPart, t); err != nil {
			return err
		}
		(*f).SetGroupRows(groupRows)
	}
	if schema.Rows(t) < groupRows {
		return (*f).Finish(t)
	}
	return (*f).WriteFull(t)
}

// close waits until everything queued is written and returns the files by table, which has couplings only where there are some.
// It also is called after errors, to let the goroutines end and to learn what went wrong.
func (s *store) close() (map[string][]lake.File, error) {
	// The files stand in the order of their buckets, which sets the order of their rows for all readers.
	for _, b := range s.buckets {
		if b != nil {
			close(b.queue)
		}
	}
	if err := s.group.Wait(); err != nil {
		return nil, err
	}
	files := map[string][]lake.File{"events": nil, "messages": nil, "arrivals": nil}
	for _, b := range s.buckets {
		if b == nil {
			continue
		}
		for table, f := range map[string]*lake.TableWriter{"events": b.events, "messages": b.messages, "arrivals": b.arrivals, "couplings": b.coupled} {
			if f != nil {
				files[table] = append(files[table], f.File)
			}
		}
	}
	return files, nil
}

// finish completes the files of a bucket whose last row group was full.
func (b *bucketFiles) finish() error {
	names := new(schema.Names)
	return errors.Join(b.events.Finish(schema.NewEvents()), b.messages.Finish(schema.NewMessages(names)), b.arrivals.Finish(schema.NewArrivals(names)),
		b.coupled.Finish(schema.NewCouplings(names)))
}
