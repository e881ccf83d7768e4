package ingest

import (
	"context"
	"errors"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/semaphore"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/chart/wellformed"
)

// store encodes the rows of all buckets. Each bucket has a goroutine and a queue, so that its row groups
// stay in order; a semaphore bounds how many row groups wait or are encoded at a time.
type store struct {
	staging      *lake.Staging
	builder      *wellformed.Builder
	group        *errgroup.Group
	ctx          context.Context
	room         *semaphore.Weighted // row groups under way
	rows         *freeList[*wellformed.Rows]
	tables       *freeList[*schema.Events] // to encode from
	exchangePool *freeList[*wellformed.Exchanges]
	messagePool  *freeList[*schema.Messages] // to encode from
	buckets      []*bucketFiles
}

// bucketFiles are the files of one bucket and the row groups that wait for them.
type bucketFiles struct {
	number   int
	queue    chan rowGroup
	events   *lake.TableWriter
	messages *lake.TableWriter
}

// rowGroup is either rows of events or message exchanges, with their codes.
type rowGroup struct {
	rows      *wellformed.Rows
	exchanges *wellformed.Exchanges
	codes     *wellformed.CodeTables
}

func newStore(ctx context.Context, staging *lake.Staging, jobs int) *store {
	s := &store{staging: staging, room: semaphore.NewWeighted(int64(jobs) + 2)}
	s.group, s.ctx = errgroup.WithContext(ctx)
	const room = lake.RowGroupRows + lake.RowGroupRows/4
	s.rows = newFreeList(jobs+4, func() *wellformed.Rows { return wellformed.NewRows(room) })
	s.tables = newFreeList(jobs+2, schema.NewEvents)
	s.exchangePool = newFreeList(jobs+4, func() *wellformed.Exchanges { return wellformed.NewExchanges(messageGroupRows) })
	s.messagePool = newFreeList(jobs+2, func() *schema.Messages { return schema.NewMessages(new(schema.Names)) })
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

// put queues a row group. After a failure it only drops it: the builder need not know.
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
			return s.ctx.Err()
		}
	}
}

// write writes a row group. One that is not full is the last of its table.
func (s *store) write(b *bucketFiles, g rowGroup) error {
	if g.exchanges != nil {
		m := s.messagePool.take()
		defer s.messagePool.put(m)
		schema.Reset(m)
		g.codes.Messages(g.exchanges, m)
		g.exchanges.Reset()
		s.exchangePool.put(g.exchanges)
		return s.writeGroup(&b.messages, "messages", b.number, messageGroupRows, m)
	}
	ev := s.tables.take()
	defer s.tables.put(ev)
	schema.Reset(ev)
	g.codes.Events(g.rows, ev)
	g.rows.Reset()
	s.rows.put(g.rows)
	return s.writeGroup(&b.events, "events", b.number, rowGroupRows, ev)
}

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

// close waits until everything queued is written and returns the files by table.
func (s *store) close() (map[string][]lake.File, error) {
	for _, b := range s.buckets {
		if b != nil {
			close(b.queue)
		}
	}
	if err := s.group.Wait(); err != nil {
		return nil, err
	}
	files := map[string][]lake.File{"events": nil, "messages": nil}
	for _, b := range s.buckets {
		if b != nil && b.events != nil {
			files["events"] = append(files["events"], b.events.File)
		}
		if b != nil && b.messages != nil {
			files["messages"] = append(files["messages"], b.messages.File)
		}
	}
	return files, nil
}

// finish completes the files of a bucket whose last row group was full.
func (b *bucketFiles) finish() error {
	return errors.Join(b.events.Finish(schema.NewEvents()), b.messages.Finish(schema.NewMessages(new(schema.Names))))
}
