package machine

import (
	"fmt"
	"io"
	"strconv"

	"github.com/tracelake/tracelake/schema"
)

// Dialects are the text formats that a trace can be written in: that of Hilbig 2023, Fig. 1.3, the
// table of Jonk et al. 2019, Fig. 3, and that of PPS's reader of large traces.
var Dialects = []string{"thesis", "table", "tmsctrace"}

// Writer writes events in a dialect.
type Writer struct {
	w     io.Writer
	buf   []byte
	heads []string // what follows the time, by key
	tails []tail   // what a message adds, by key and mark
	marks int
}

// tail is a message around its number.
type tail struct {
	before, after string
	numbered      bool
}

// writeBytes is how much text is collected before it is written.
const writeBytes = 1 << 20

// NewWriter returns a writer and writes the header that the dialect has.
// All text of an event but its time and number is made here, once for every key and mark.
func NewWriter(w io.Writer, m *Machine, dialect string) (*Writer, error) {
	d := &Writer{w: w, buf: make([]byte, 0, writeBytes+4096), marks: int(ReceiveReply) + 1}
	var head func(Key) string
	var tailOf func(Key, Mark) tail
	switch dialect {
	case "thesis":
		head, tailOf = m.arrowHead, arrowTail
	case "tmsctrace":
		head, tailOf = m.executorHead, arrowTail
	case "table":
		head, tailOf = m.tableHead, tableTail
		d.buf = append(d.buf, "time,component,function,start/finish,message,id,type\n"...)
	default:
		return nil, fmt.Errorf("no dialect %q: there are %q", dialect, Dialects)
	}
	for _, k := range m.Keys {
		d.heads = append(d.heads, head(k))
		for mark := range Mark(d.marks) {
			d.tails = append(d.tails, tailOf(k, mark))
		}
	}
	return d, nil
}

// Write writes a block of events.
// It allocates nothing.
func (d *Writer) Write(events []Event) error {
	for i := range events {
		e := &events[i]
		b := append(appendTime(d.buf, e.TimeNs), d.heads[e.Key]...)
		t := &d.tails[int(e.Key)*d.marks+int(e.Mark)]
		b = append(b, t.before...)
		if t.numbered {
			b = strconv.AppendInt(b, e.ID, 10)
			b = append(b, t.after...)
		}
		d.buf = b
		if len(b) >= writeBytes {
			if err := d.Flush(); err != nil {
				return err
			}
		}
	}
	return nil
}

// Flush writes what is still held back.
func (d *Writer) Flush() error {
	_, err := d.w.Write(d.buf)
	d.buf = d.buf[:0]
	return err
}

// appendTime writes seconds with nine decimals.
func appendTime(b []byte, ns int64) []byte {
	b = strconv.AppendInt(b, ns/1e9, 10)
	b = append(b, ".000000000"...)
	digits := b[len(b)-9:]
	for i, f := 8, uint32(ns%1e9); f > 0; i-- {
		digits[i] = byte('0' + f%10)
		f /= 10
	}
	return b
}

// arrowHead writes component and function as Hilbig 2023 does.
func (m *Machine) arrowHead(k Key) string {
	arrow := " > "
	if k.Kind == schema.Exit {
		arrow = " < "
	}
	return " " + m.Components[k.Component] + arrow + k.Function
}

// executorHead writes the executor before them, as PPS does: E1 runs the first component.
func (m *Machine) executorHead(k Key) string {
	return " E" + strconv.Itoa(k.Component+1) + m.arrowHead(k)
}

// tableHead writes them as columns.
func (m *Machine) tableHead(k Key) string {
	word := ",start"
	if k.Kind == schema.Exit {
		word = ",finish"
	}
	return "," + m.Components[k.Component] + "," + k.Function + word
}

// Requests and triggers are numbered m1, m2, ..., replies r3, r4, ... by the same counter.
var arrows = [...]string{SendCall: " !m", SendTrigger: " !m", SendReply: " !r",
	ReceiveCall: " ?m", ReceiveTrigger: " ?m", ReceiveReply: " ?r"}

// arrowTail writes a message by its direction and letter.
func arrowTail(_ Key, mark Mark) tail {
	if mark == NoMessage {
		return tail{before: "\n"}
	}
	return tail{before: arrows[mark], after: "\n", numbered: true}
}

// The words of the table's columns for messages, by mark.
var (
	labels = [...]string{SendCall: "_call", SendTrigger: "_trig", SendReply: "_reply",
		ReceiveCall: "_call", ReceiveTrigger: "_trig", ReceiveReply: "_reply"}
	types = [...]string{SendCall: "send", SendTrigger: "send", SendReply: "send",
		ReceiveCall: "receive", ReceiveTrigger: "receive", ReceiveReply: "receive"}
)

// tableTail writes a message as its label, identifier and direction.
func tableTail(k Key, mark Mark) tail {
	if mark == NoMessage {
		return tail{before: ",,,\n"}
	}
	return tail{before: "," + k.Callee + labels[mark] + ",id", after: "," + types[mark] + "\n", numbered: true}
}
