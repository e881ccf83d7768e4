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
	Wakeup                          // it wakes or starts a thread, or ends the one that another waits for; nobody replies
)

// PatternWords are the names of the patterns.
var PatternWords = []string{"trigger", "blocking", "nonblocking", "callback",
	"blocking_reply", "nonblocking_reply", "callback_reply", "inferred", "wakeup"}

// Messages are the message exchanges of a run: a send event and the receive event with the same
// identifier. Rows are in the order in which the exchange was complete, its reply included.
type Messages struct {
	Names *Names

	Series           []Code    `parquet:"id_series,id(2),optional" names:"Series" doc:"part of the message identifier before its number"`
	MessageID        []int64   `parquet:"message_id,id(3),optional" unit:"-" doc:"number of the message identifier"`
	Label            []Code    `parquet:"label,id(4),optional" names:"Messages" doc:"label of the message"`
	Pattern          []Pattern `parquet:"pattern,id(5)" doc:"trigger, blocking, nonblocking, callback, or blocking_reply, nonblocking_reply, callback_reply; inferred: not in the trace, what starts an execution of a component that waits for a blocking call; wakeup: it wakes, starts or joins a thread"`
	SendSeq          []int64   `parquet:"send_seq,id(6)" key:"yes" unit:"-" doc:"the event that sent it"`
	ReceiveSeq       []int64   `parquet:"receive_seq,id(7)" key:"yes" unit:"-" doc:"the event that received it"`
	Sender           []Code    `parquet:"sender,id(8)" names:"Components" doc:"component that sent it"`
	Receiver         []Code    `parquet:"receiver,id(9)" names:"Components" doc:"component that received it"`
	SenderFunction   []Code    `parquet:"sender_function,id(10)" names:"Functions" doc:"function of the send event"`
	ReceiverFunction []Code    `parquet:"receiver_function,id(11)" names:"Functions" doc:"function of the receive event"`
	SenderLifeline   []Code    `parquet:"sender_lifeline,id(12)" names:"Lifelines" doc:"lifeline that sent it"`
	ReceiverLifeline []Code    `parquet:"receiver_lifeline,id(13)" names:"Lifelines" doc:"lifeline that received it"`
	SendNs           []int64   `parquet:"send_ns,id(14)" doc:"time of the send event"`
	ReceiveNs        []int64   `parquet:"receive_ns,id(15)" doc:"time of the receive event"`
	LatencyNs        []int64   `parquet:"latency_ns,id(16)" doc:"receive_ns - send_ns"`
	RequestSeq       []int64   `parquet:"request_seq,id(17),optional" unit:"-" doc:"of a reply: the event that sent its request"`
	RoundTripNs      []int64   `parquet:"round_trip_ns,id(18),optional" doc:"of a reply: from sending the request to receiving the reply"`
}

var messagesTable = declareColumns[Messages, Names](TableDoc{
	Name: "messages", Follows: "events", Doc: "Message exchanges: a send event and the receive event with the same identifier.",
	Grain: "one exchange", Partition: "run",
}, enums{"pattern": PatternWords})

// Columns binds the columns to their slices, in the order of the file.
func (m *Messages) Columns() []Column { return messagesTable.bind(m, m.Names) }

// NewMessages returns an empty table whose codes are those of names.
func NewMessages(names *Names) *Messages { return &Messages{Names: names} }

// Arrivals are the message exchanges of a run once more, in the bucket of the lifeline that receives them: messages lie in
// that of the sender. What is said of a lifeline depends on the messages that it receives, so whoever analyzes a bucket
// reads its arrivals instead of the messages of the whole run. Every column is one of Messages, in the same order of rows.
type Arrivals struct {
	Names *Names

	Series           []Code    `parquet:"id_series,id(2),optional" names:"Series" doc:"part of the message identifier before its number"`
	MessageID        []int64   `parquet:"message_id,id(3),optional" unit:"-" doc:"number of the message identifier"`
	Label            []Code    `parquet:"label,id(4),optional" names:"Messages" doc:"label of the message"`
	Pattern          []Pattern `parquet:"pattern,id(5)" doc:"as in messages"`
	SendSeq          []int64   `parquet:"send_seq,id(6)" key:"yes" unit:"-" doc:"the event that sent it"`
	ReceiveSeq       []int64   `parquet:"receive_seq,id(7)" key:"yes" unit:"-" doc:"the event that received it"`
	Sender           []Code    `parquet:"sender,id(8)" names:"Components" doc:"component that sent it"`
	Receiver         []Code    `parquet:"receiver,id(9)" names:"Components" doc:"component that received it"`
	SenderLifeline   []Code    `parquet:"sender_lifeline,id(10)" names:"Lifelines" doc:"lifeline that sent it"`
	ReceiverLifeline []Code    `parquet:"receiver_lifeline,id(11)" names:"Lifelines" doc:"lifeline that received it"`
	SendNs           []int64   `parquet:"send_ns,id(12)" doc:"time of the send event"`
	ReceiveNs        []int64   `parquet:"receive_ns,id(13)" doc:"time of the receive event"`
}

var arrivalsTable = declareColumns[Arrivals, Names](TableDoc{
	Name: "arrivals", Follows: "messages", Doc: "Message exchanges as their receivers see them: the messages again, in the bucket of the receiver.",
	Grain: "one exchange", Partition: "run, bucket",
}, enums{"pattern": PatternWords})

// Columns binds the columns to their slices, in the order of the file.
func (a *Arrivals) Columns() []Column { return arrivalsTable.bind(a, a.Names) }

// NewArrivals returns an empty table whose codes are those of names.
func NewArrivals(names *Names) *Arrivals { return &Arrivals{Names: names} }
