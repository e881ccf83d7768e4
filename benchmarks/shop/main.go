// Command shop is a small system of services in one process, to be recorded: a front that takes orders, a catalogue, a cart and a
// payment that waits for a bank. It writes the spans of its orders as OTLP JSON, as the file exporter of the OpenTelemetry
// collector does, and can be made slower in one operation.
package main

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"hash/fnv"
	"io"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/tracelake/tracelake/benchmarks/program"
)

func main() { program.Main("shop", run) }

// run takes the orders and writes their spans. -plant makes an operation slower; naming one that is not there is an error, since
// the recording would then be a baseline without anybody noticing.
func run(_ context.Context, stdout, stderr io.Writer, args []string) error {
	f := flag.NewFlagSet("shop", flag.ContinueOnError)
	f.SetOutput(stderr)
	s := &shop{}
	orders := f.Int("orders", 40, "orders that are taken, one after the other")
	f.Func("plant", "OPERATION=20%: every call of an operation is busy for that share of its own time longer", func(text string) error {
		name, percent, found := strings.Cut(strings.TrimSuffix(text, "%"), "=")
		share, err := strconv.ParseFloat(percent, 64)
		if !found || err != nil || !(share >= 0) {
			return errors.New("write OPERATION=20%")
		}
		s.slowed, s.share = name, share/100
		return nil
	})
	if err := f.Parse(args); err != nil {
		return err
	}
	// The thread's own clock is read, so its goroutine must not move to another one.
	runtime.LockOSThread()
	// The first order pays for caches and for pages of memory, which no baseline should have.
	s.order(0) // warms up; its spans are left out
	s.spans = nil
	known := s.planted
	for i := range *orders {
		s.order(i)
	}
	// planted is set by the order that warms up, so that a name without a call is noticed at once.
	if s.slowed != "" && !known {
		return fmt.Errorf("no operation is called %s", s.slowed)
	}
	return s.write(stdout)
}

// Kinds of spans, as OTLP numbers them.
const (
	internal = 1
	server   = 2
	client   = 3
)

// span is an operation of a service that was called once.
type span struct {
	service, name string    // of the service and of its operation
	kind          int       // as OTLP numbers kinds
	trace, id     int       // from 1
	parent        int       // id, 0 of the first one
	start, end    time.Time // on the clock of the machine
}

// shop takes orders one after the other.
type shop struct {
	spans   []span          // of all orders, in the order of their starts
	trace   int             // of the order that is under way
	sum     uint32          // of what was computed, so that it is computed
	open    []int           // ids of the spans that have not ended
	inner   []time.Duration // by open span: what the operations in it computed
	slowed  string          // the operation that is made slower
	share   float64         // by which its own time grows; 0.2 is a fifth
	planted bool            // the operation that is named was called
	owed    time.Duration   // by which calls were slowed too little so far
}

// do runs an operation as a span within the one that is open, and keeps it busy longer if that is planted.
func (s *shop) do(service, name string, kind int, work func()) {
	sp := span{service: service, name: name, kind: kind, trace: s.trace, id: len(s.spans) + 1, start: time.Now()}
	// Orders are taken one after the other, so the innermost open span is the parent.
	if n := len(s.open); n > 0 {
		sp.parent = s.open[n-1]
	}
	s.spans = append(s.spans, sp)
	s.open, s.inner = append(s.open, sp.id), append(s.inner, 0)
	depth, from := len(s.open)-1, computed()
	work()
	// Only an operation's own computing counts, without what it called, so that a share means what it says.
	if name == s.slowed {
		s.planted = true
		s.slow(computed() - from - s.inner[depth])
	}
	took := computed() - from
	// The identifier is its position plus one, so that the span is found without a search.
	s.spans[sp.id-1].end = time.Now()
	s.open, s.inner = s.open[:depth], s.inner[:depth]
	if depth > 0 {
		s.inner[depth-1] += took
	}
}

// slow computes for the planted share of what a call computed itself, and keeps what it computed too long for the next call. Time
// on the clock would slow a call that another program interrupts by a share of that, too.
// What was owed by earlier calls is added, so that the mean of all calls is the planted share.
func (s *shop) slow(own time.Duration) {
	s.owed += time.Duration(s.share * float64(own))
	from := computed()
	for computed()-from < s.owed {
	}
	s.owed -= computed() - from
}

// computed is how long this thread has computed so far. What getrusage says of a thread has steps of milliseconds.
func computed() time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t); err != nil {
		panic(err) // the thread asks about itself, into memory of its own
	}
	return time.Duration(t.Nano())
}

// call runs an operation of another service: a span at the caller with the one of the service in it.
func (s *shop) call(from, to, name string, work func()) {
	s.do(from, "call "+name, client, func() { s.do(to, name, server, work) })
}

// order is one order with all that it takes.
func (s *shop) order(number int) {
	// Each part is an own amount of computing, the bank waits and computes nothing.
	s.trace = number + 1
	s.do("front", "POST /order", server, func() {
		var found []string
		s.do("front", "parse", internal, func() { s.sum ^= mix(number, 225) })
		s.call("front", "catalogue", "search", func() {
			s.do("catalogue", "scan", internal, func() { found = scan(number) })
			s.do("catalogue", "rank", internal, func() { slices.Sort(found) })
		})
		s.call("front", "cart", "add", func() {
			s.do("cart", "price", internal, func() { s.sum ^= mix(len(found), 2250) })
			s.do("cart", "store", internal, func() { digest(number, 60) })
		})
		s.call("front", "payment", "pay", func() {
			s.do("payment", "sign", internal, func() { digest(number, 5000) })
			s.do("payment", "bank", client, func() { time.Sleep(300 * time.Microsecond) })
			s.do("payment", "book", internal, func() { digest(number, 400) })
		})
		s.do("front", "render", internal, func() { render(found) })
	})
}

// mix computes for a while.
func mix(seed, rounds int) (x uint32) {
	x = uint32(seed)
	for range rounds {
		x = x*1664525 + 1013904223
	}
	return x
}

// scan looks for the products of an order by their names.
func scan(number int) (found []string) {
	for product := range 2000 {
		name := "product-" + strconv.Itoa(product)
		h := fnv.New32a()
		h.Write([]byte(name))
		if h.Sum32()%16 == uint32(number)%16 {
			found = append(found, name)
		}
	}
	return found
}

// digest hashes a number so many times.
func digest(number, times int) (sum [sha256.Size]byte) {
	binary.LittleEndian.PutUint64(sum[:], uint64(number))
	for range times {
		sum = sha256.Sum256(sum[:])
	}
	return sum
}

// render makes a page of the products.
func render(products []string) string {
	var page strings.Builder
	for i, p := range products {
		fmt.Fprintf(&page, "<tr><td>%d</td><td>%s</td></tr>", i, p)
	}
	return page.String()
}

// write prints the spans, those of a service together.
func (s *shop) write(out io.Writer) error {
	// The document is one object, as the collector's file exporter writes it for a batch.
	w := bufio.NewWriter(out)
	w.WriteString(`{"resourceSpans":[`)
	for i, service := range []string{"front", "catalogue", "cart", "payment"} {
		if i > 0 {
			w.WriteString(",")
		}
		fmt.Fprintf(w, `{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":%q}}]},"scopeSpans":[{"spans":[`, service)
		// Spans of a service stand together, as an exporter writes its own alone; within it they keep their order.
		first := true
		for _, sp := range s.spans {
			if sp.service != service {
				continue
			}
			if !first {
				w.WriteString(",\n")
			}
			first = false
			parent := ""
			if sp.parent > 0 {
				parent = fmt.Sprintf(`"parentSpanId":"%016x",`, sp.parent)
			}
			// End times are start plus duration by the monotonic clock, which no adjustment of the other clock can shift.
			fmt.Fprintf(w, `{"traceId":"%032x","spanId":"%016x",%s"name":%q,"kind":%d,"startTimeUnixNano":"%d","endTimeUnixNano":"%d"}`,
				sp.trace, sp.id, parent, sp.name, sp.kind, sp.start.UnixNano(), sp.start.UnixNano()+int64(sp.end.Sub(sp.start)))
		}
		w.WriteString("]}]}")
	}
	w.WriteString("]}\n")
	return w.Flush()
}
