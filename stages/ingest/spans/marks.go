package spans

import "github.com/tracelake/tracelake/schema"

// series is the series of all messages.
const series = "m"

// label is the label of a message.
type label uint8

const (
	request label = iota
	reply
	trigger
	inferred
)

// marks are all that there are: none, and of every label the one that sends and the one that receives.
var marks = func() []schema.MessageMark {
	out := []schema.MessageMark{{}}
	for _, word := range []string{request: "request", reply: "reply", trigger: "trigger", inferred: "inferred"} {
		for _, d := range []schema.Direction{schema.Send, schema.Receive} {
			out = append(out, schema.MessageMark{Direction: d, Series: series, Label: word})
		}
	}
	return out
}()

// mark is the mark of the message to the child; replyMark that of the reply.
func (l link) mark(d schema.Direction) uint8 { return 2*uint8(l.label) + d }

func (l link) replyMark(d schema.Direction) uint8 {
	if l.label == request {
		l.label = reply
	}
	return l.mark(d)
}

// where says how a span is tied to its parent.
type where uint8

const (
	apart   where = iota // by nothing but the trace's word
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

// relate finds the tie of a child, as the package comment says.
func relate(parent, child *Span) link {
	if local(parent, child) {
		return relateLocal(parent, child)
	}
	l := link{atStart, parent.Kind != Producer && child.Kind != Consumer && !child.Follows, inferred}
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

// relateLocal is relate for a child in its parent's service.
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
