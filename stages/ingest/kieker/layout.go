package kieker

import "strings"

// kind is what a record is to the reader.
type kind uint8

const (
	unknown    kind = iota // its class is not of Kieker, or not in the map
	skipped                // of Kieker, and not about calls
	metadata               // KiekerMetadataRecord
	trace                  // TraceMetadata
	execution              // OperationExecutionRecord
	enter                  // Before...Event
	exit                   // After...Event
	failure                // After...FailedEvent
	call                   // Call...Event
	built                  // ConstructionEvent
	send                   // BeforeSentRemoteEvent
	receive                // BeforeReceivedRemoteEvent
	startComp              // BeforeInCompOperationEvent
	endComp                // AfterOutCompOperationEvent
	failedComp             // AfterOutCompOperationFailedEvent
)

// The fields of records that are read, each by the letter that stands for it in a layout.
const (
	fieldTime        = 't' // the only time of a record, or the start of an execution, in the unit of the log; 64 bits
	fieldEnd         = 'e' // the end of an execution; 64 bits
	fieldTrace       = 'i' // 64 bits
	fieldSender      = 'f' // the trace that sent a message; 64 bits
	fieldThread      = 'n' // 64 bits
	fieldOrder       = 'o' // the order index in the trace, of an execution its eoi; 32 bits
	fieldSenderOrder = 'x' // the order index of the sending; 32 bits
	fieldHeight      = 'd' // ess, the height of the stack at the start of an execution; 32 bits
	fieldComponent   = 'c' // 32 bits
	fieldSignature   = 's' // of the operation, of a call event that of the callee
	fieldClass       = 'l' // the class that a record gives beside the signature
	fieldHost        = 'h'
	fieldWords       = 'w' // the cause of a failure, or the technology of a message
	fieldUnit        = 'u' // of all times
	fieldSession     = 'v'
)

// fieldType is how a field is encoded: by digits or a word in a text, by so many bytes in a binary log.
type fieldType uint8

const (
	textField  fieldType = iota // in a binary log the number of a text of the map, 4 bytes
	longField                   // 8 bytes
	intField                    // 4 bytes
	truthField                  // true or false, 1 byte
)

// fieldTypes are the types by letter; other letters are texts. Capitals stand for fields that are checked and passed over.
var fieldTypes = [letters]fieldType{
	fieldTime: longField, fieldEnd: longField, fieldTrace: longField, fieldSender: longField, fieldThread: longField, 'L': longField,
	fieldOrder: intField, fieldSenderOrder: intField, fieldHeight: intField, fieldComponent: intField, 'I': intField,
	'B': truthField,
}

// widths are the bytes that a field of a type takes in a binary log.
var widths = [...]int{textField: 4, longField: 8, intField: 4, truthField: 1}

// letters bounds the tables by letter.
const letters = 'z' + 1

// layout says what the fields of a class of records are, a letter each: one of the constants above, or L, I, B and S for
// an integer of 64 bits (or a fraction of as many), one of 32, a truth value and a text that the reader has no use for.
type layout struct {
	kind   kind
	fields string
	wide   int // the field that surplus semicolons belong to
}

// fixed are the records whose names are not put together; of those that are skipped, the ones that a binary log
// is known to have, in which the length of each must be known.
var fixed = map[string]layout{
	"KiekerMetadataRecord":      {metadata, "SShIBLuL", 1},
	"TraceMetadata":             {trace, "invhLI", 2},
	"OperationExecutionRecord":  {execution, "svitehod", 0},
	"ConstructionEvent":         {built, "tioSI", 3},
	"BeforeSentRemoteEvent":     {send, "tiow", 3},
	"BeforeReceivedRemoteEvent": {receive, "tfxio", 0},
	"ApplicationTraceMetadata":  {trace, "inShLIS", 2},
	"BranchingRecord":           {skipped, "LII", 0},
	"SplitEvent":                {skipped, "LLI", 0},
	"JoinEvent":                 {skipped, "LLIL", 0},
	"MonitorEntryEvent":         {skipped, "LLII", 0},
	"MonitorExitEvent":          {skipped, "LLII", 0},
	"MonitorNotifyAllEvent":     {skipped, "LLII", 0},
	"MonitorNotifyEvent":        {skipped, "LLII", 0},
	"MonitorRequestEvent":       {skipped, "LLII", 0},
	"MonitorWaitEvent":          {skipped, "LLII", 0},
	"SessionStartEvent":         {skipped, "LSS", 0},
	"SessionEndEvent":           {skipped, "LSS", 0},
	"HostApplicationMetaData":   {skipped, "SSSS", 0},
	"ThreadMetaData":            {skipped, "SL", 0},
	"ClassLoadingRecord":        {skipped, "LSSLIL", 0},
	"CompilationRecord":         {skipped, "LSSSL", 0},
	"GCRecord":                  {skipped, "LSSSLL", 0},
	"MemoryRecord":              {skipped, "LSSLLLLLLLLI", 0},
	"ThreadsStatusRecord":       {skipped, "LSSLLLL", 0},
	"UptimeRecord":              {skipped, "LSSL", 0},
	"CPUUtilizationRecord":      {skipped, "LSSLLLLLLL", 0},
	"DiskUsageRecord":           {skipped, "LSSLLLLLL", 0},
	"LoadAverageRecord":         {skipped, "LSLLL", 0},
	"MemSwapUsageRecord":        {skipped, "LSLLLLLL", 0},
	"NetworkUtilizationRecord":  {skipped, "LSSLLLLLLLLLLLLLL", 0},
	"ResourceUtilizationRecord": {skipped, "LSSL", 0},
	"TimestampRecord":           {skipped, "L", 0},
}

// layoutOf is the layout of a class of records.
// The package of a class is ignored, since programs derive records of their own from Kieker's. An unknown class of
// Kieker itself is skipped in text, where lines end by themselves.
func layoutOf(class string) layout {
	name := class[strings.LastIndexByte(class, '.')+1:]
	if l, is := fixed[name]; is {
		return l
	}
	if l, is := layoutOfEvent(name); is {
		return l
	}
	if strings.HasPrefix(class, "kieker.") {
		return layout{kind: skipped}
	}
	return layout{}
}

// layoutOfEvent takes the name of an event to pieces.
// The longer prefixes come first. Kieker has a class for each combination of prefix and suffixes, some dozens, of which
// a table would list each.
func layoutOfEvent(name string) (layout, bool) {
	rest, ok := strings.CutSuffix(name, "Event")
	if !ok {
		return layout{}, false
	}
	for _, p := range []struct {
		prefix string
		layout layout
	}{
		{"BeforeInCompOperation", layout{startComp, "tiosl", 3}}, {"BeforeCompOperation", layout{startComp, "tiosl", 3}},
		{"AfterOutCompOperation", layout{endComp, "tiosl", 3}}, {"AfterCompOperation", layout{endComp, "tiosl", 3}},
		{"BeforeOperation", layout{enter, "tiosl", 3}}, {"BeforeConstructor", layout{enter, "tiosl", 3}},
		{"AfterOperation", layout{exit, "tiosl", 3}}, {"AfterConstructor", layout{exit, "tiosl", 3}},
		{"CallOperation", layout{call, "tioSSsl", 3}}, {"CallConstructor", layout{call, "tioSSsl", 3}},
	} {
		if more, is := strings.CutPrefix(rest, p.prefix); is {
			return p.layout.extend(more)
		}
	}
	return layout{}, false
}

// extend adds the fields that the rest of a name promises.
// The order is that of Kieker's fields: the cause of a failure, then the object or objects, then the interface. It
// reports whether the whole name was understood.
func (l layout) extend(more string) (layout, bool) {
	if rest, failed := strings.CutPrefix(more, "Failed"); failed {
		switch l.kind {
		case exit:
			l.kind = failure
		case endComp:
			l.kind = failedComp
		default:
			return layout{}, false
		}
		more, l.wide = rest, len(l.fields)
		l.fields += "w"
	}
	if l.kind == startComp || l.kind == endComp || l.kind == failedComp {
		l.fields += "c"
		return l, more == ""
	}
	if rest, object := strings.CutPrefix(more, "Object"); object {
		more = rest
		l.fields += "I"
		if l.kind == call {
			l.fields += "I"
		}
	}
	if rest, object := strings.CutPrefix(more, "Interface"); object {
		more = rest
		l.fields += "S"
	}
	return l, more == ""
}
