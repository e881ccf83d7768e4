package schema

// Arrivals are the message exchanges of a run once more, in the bucket of the lifeline that receives them: messages lie in
// that of the sender. What is said of a lifeline depends on the messages that it receives, so whoever analyzes a bucket
// reads its arrivals instead of the messages of the whole run. Every column is one of Messages, in the same order of rows.
type Arrivals struct {
	Names *Names

	Series           []Code  `parquet:"id_series,optional" names:"Series" doc:"part of the message identifier before its number"`
	MessageID        []int64 `parquet:"message_id,optional" unit:"-" doc:"number of the message identifier"`
	Label            []Code  `parquet:"label,optional" names:"Messages" doc:"label of the message"`
	SendSeq          []int64 `parquet:"send_seq" key:"yes" unit:"-" doc:"the event that sent it"`
	ReceiveSeq       []int64 `parquet:"receive_seq" key:"yes" unit:"-" doc:"the event that received it"`
	Sender           []Code  `parquet:"sender" names:"Components" doc:"component that sent it"`
	Receiver         []Code  `parquet:"receiver" names:"Components" doc:"component that received it"`
	SenderLifeline   []Code  `parquet:"sender_lifeline" names:"Lifelines" doc:"lifeline that sent it"`
	ReceiverLifeline []Code  `parquet:"receiver_lifeline" names:"Lifelines" doc:"lifeline that received it"`
	SendNs           []int64 `parquet:"send_ns" doc:"time of the send event"`
	ReceiveNs        []int64 `parquet:"receive_ns" doc:"time of the receive event"`
}

var arrivalsTable = declareColumns[Arrivals, Names](TableDoc{
	Name: "arrivals", Follows: "messages", Doc: "Message exchanges as their receivers see them: the messages again, in the bucket of the receiver.",
	Grain: "one exchange", Partition: "run, bucket",
}, nil)

// Columns binds the columns to their slices, in the order of the file.
func (a *Arrivals) Columns() []Column { return arrivalsTable.bind(a, a.Names) }

// NewArrivals returns an empty table whose codes are those of names.
func NewArrivals(names *Names) *Arrivals { return &Arrivals{Names: names} }
