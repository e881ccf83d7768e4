package spans

import "github.com/tracelake/tracelake/schema"

// series is the series of all messages; they are numbered over all traces.
const series = "m"

// label is the label of a message.
type label uint8

const (
	request  label = iota // a client called a server
	reply                 // the answer to a request
	trigger               // nothing waits for an answer
	inferred              // the parent does not say by which call it reached the child
)

// marks are all that there are, by link.mark: that of no message, of every label that of sending and of receiving, and those of
// the ends of links.
var marks = func() []schema.MessageMark {
	out := []schema.MessageMark{{}}
	for _, word := range []string{request: "request", reply: "reply", trigger: "trigger", inferred: "inferred"} {
		for _, d := range []schema.Direction{schema.Send, schema.Receive} {
			out = append(out, schema.MessageMark{Direction: d, Series: series, Label: word})
		}
	}
	for _, d := range []schema.Direction{schema.Opens, schema.Waits} {
		out = append(out, schema.MessageMark{Direction: d, Series: "link", Label: "link", Coupling: schema.ByLink})
	}
	return out
}()

// The marks of the ends of links, behind those of messages.
const (
	linkOpens = uint8(2*inferred) + 3 + iota
	linkWaits
)

// mark returns the mark of the message to the child, and replyMark that of the reply.
func (l link) mark(d schema.Direction) uint8 { return 2*uint8(l.label) + d }

func (l link) replyMark(d schema.Direction) uint8 {
	if l.label == request {
		l.label = reply
	}
	return l.mark(d)
}

// where says when and how a parent reached a span.
type where uint8

const (
	apart   where = iota // not at all, as far as their times show
	called               // a call within the parent's, on its lifeline
	atStart              // by a message that the parent sends when it starts
	inside               // by a message that the parent sends in between
	atEnd                // by a message that the parent sends when it ends
)

// link is the tie of a span to its parent.
type link struct {
	sent    where
	replied bool // the parent waits for a message that the child sends when it ends
	label   label
}

// held reports whether the parent's end comes after the child's.
func (l link) held() bool { return l.sent == called || l.replied }

// relate finds the tie of a child to its parent in another service; the table in the package comment has the cases.
func relate(parent, child *Span) link {
	if local(parent, child) {
		return relateLocal(parent, child)
	}
	l := link{atStart, parent.Kind != Producer && child.Kind != Consumer && !child.Follows && !gaveUp(parent, child), inferred}
	switch {
	case !l.replied:
		l.label = trigger
	case parent.Kind == Client && child.Kind == Server:
		l.label = request
	}
	if parent.Kind.calls() {
		return l
	}
	l.sent = inside
	if child.StartNs > parent.EndNs {
		l.sent = atEnd
	}
	l.replied = l.replied && child.EndNs <= parent.EndNs
	return l
}

// gaveUp reports whether a caller failed before an answer came, as after a timeout: the called span takes longer than it, which clocks that
// are apart do not change.
func gaveUp(parent, child *Span) bool {
	return parent.Failed && child.EndNs-child.StartNs > parent.EndNs-parent.StartNs
}

// relateLocal finds the tie of a child in the instance of its parent: a call where the child lies within the parent.
func relateLocal(parent, child *Span) link {
	switch {
	case within(child, parent):
		return link{sent: called}
	case child.StartNs < parent.StartNs || child.StartNs > parent.EndNs:
		return link{sent: apart}
	}
	return link{sent: inside, label: inferred}
}

// within reports whether a span lies in another in time.
func within(s, around *Span) bool { return s.StartNs >= around.StartNs && s.EndNs <= around.EndNs }
