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
