package schema

// Pattern is the remote call pattern to which a message belongs (Jonk et al. 2019, Fig. 6; the
// callback is the function completion notification of Hilbig 2023, section 2.4).
type Pattern = uint8

const (
	Trigger          Pattern = iota // nobody replies
	Blocking                        // the reply ends the execution that called
	NonBlocking                     // the reply is received by a later wait
	Callback                        // the reply starts an execution
	BlockingReply                   // the reply of a blocking call
	NonBlockingReply                // the reply of a non-blocking call
	CallbackReply                   // the reply of a call with a callback
	Inferred                        // not in the trace: it starts an execution of a component that waits for a blocking call
)

// PatternWords are the names of the patterns.
var PatternWords = []string{"trigger", "blocking", "nonblocking", "callback",
	"blocking_reply", "nonblocking_reply", "callback_reply", "inferred"}

// Messages are the message exchanges of a run: a send event and the receive event with the same
// identifier. Rows are in the order in which the exchange was complete, its reply included.
type Messages struct {
	Names *Names

	Series           []Code // nullable
	MessageID        []int64
	Label            []Code // nullable
	Pattern          []Pattern
	SendSeq          []int64 // of the enter or exit that sent it
	ReceiveSeq       []int64 // of the enter or exit that received it
	Sender           []Code
	Receiver         []Code
	SenderFunction   []Code
	ReceiverFunction []Code
	SenderLifeline   []Code
	ReceiverLifeline []Code
	SendNs           []int64
	ReceiveNs        []int64
	LatencyNs        []int64 // ReceiveNs - SendNs
	RequestSeq       []int64 // of a reply: the send event of its request; else null
	RoundTripNs      []int64 // of a reply: from sending the request to receiving the reply; else null
}

// Columns implements the interface of that name.
func (m *Messages) Columns() []Column {
	return []Column{
		NullStrings("id_series", &m.Series, &m.Names.Series),
		NullInts("message_id", &m.MessageID),
		NullStrings("label", &m.Label, &m.Names.Messages),
		Enum("pattern", &m.Pattern, PatternWords),
		Ints("send_seq", &m.SendSeq),
		Ints("receive_seq", &m.ReceiveSeq),
		Strings("sender", &m.Sender, &m.Names.Components),
		Strings("receiver", &m.Receiver, &m.Names.Components),
		Strings("sender_function", &m.SenderFunction, &m.Names.Functions),
		Strings("receiver_function", &m.ReceiverFunction, &m.Names.Functions),
		Strings("sender_lifeline", &m.SenderLifeline, &m.Names.Lifelines),
		Strings("receiver_lifeline", &m.ReceiverLifeline, &m.Names.Lifelines),
		Ints("send_ns", &m.SendNs),
		Ints("receive_ns", &m.ReceiveNs),
		Ints("latency_ns", &m.LatencyNs),
		NullInts("request_seq", &m.RequestSeq),
		NullInts("round_trip_ns", &m.RoundTripNs),
	}
}

// NewMessages returns an empty table whose codes are those of names.
func NewMessages(names *Names) *Messages { return &Messages{Names: names} }
