package ctf

// opcode is a step of a program.
type opcode uint8

const (
	opAlign    opcode = iota // to a multiple of n bits
	opSkip                   // n bits
	opVariable               // an integer of 7 bits a byte, of at most n bits, into its slot and register
	opInteger                // of n bits, into its slot and register
	opText                   // a string up to its zero byte; its place into the register
	opMark                   // the place of the text of n bits that comes next, into the register
	opRepeat                 // body, n times
	opCount                  // body, or n bits, as often as the slot says
	opChoose                 // the choice that has the slot's value
)

// op is a step. Programs are trees, as variants and loops hold programs of their own.
type op struct {
	code        opcode   // what to do
	reg         register // where the value goes as well; regNone: nowhere
	big, signed bool     // of an integer: byte order, two's complement
	slot        int32    // -1: none
	n           uint64   // bits, a multiple to align to, or a count
	body        []op     // steps to repeat
	choices     []choice // of opChoose
}

// choice is a member of a variant with the values of the tag that choose it.
type choice struct {
	labels []label // values of the tag
	body   []op    // steps of the member
}

// choose returns the member that a value chooses.
func (o *op) choose(value uint64) ([]op, bool) {
	for i := range o.choices {
		for _, l := range o.choices[i].labels {
			if l.holds(value, o.signed) {
				return o.choices[i].body, true
			}
		}
	}
	return nil, false
}

// register is a place for a value that the reader itself wants. Those of text hold its byte in the packet.
type register uint8

const (
	regNone register = iota
	regMagic
	regStream
	regInstance
	regBegin
	regContent
	regPacket
	regSequence
	regDiscarded
	regCPU
	regID
	regTime
	regTid
	regPid
	regComm
	regAddress
	regLength
	regPath
	regPic
	regOther        // the number of a thread that the event is about
	regOtherProcess // of its process
	regPrevious     // the thread that ran before
	regPreviousName
	regEventCPU // where the event itself tells it
	regSequenceNumber
	regAcknowledged
	regFlags
	regPorts
	regPortTo
	regObject // the number of what an event is about: an address in a process
	regOwner  // of what that belongs to, and so on
	regParent
	regNumber                         // a value
	regKey                            // what tells which ends of a pair belong together: keyFields of them
	regAttribute = regKey + keyFields // what the user asked for: attributeFields of them
	registers    = regAttribute + attributeFields
)

// registersOf say which fields of a part of a packet or event go into registers.
var (
	headerRegisters = map[string]register{
		"magic": regMagic, "stream_id": regStream, "stream_instance_id": regInstance,
	}
	packetRegisters = map[string]register{
		"timestamp_begin": regBegin, "content_size": regContent, "packet_size": regPacket,
		"packet_seq_num": regSequence, "events_discarded": regDiscarded, "cpu_id": regCPU,
	}
	eventRegisters = map[string]register{"id": regID, "timestamp": regTime}
)
