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

// layout says what the fields of a record are, a letter each. Small letters are read, capitals are passed over;
// values.set and binary.field know what they mean.
//
//	t e  start (or only) time and end, i64          o x d  order or eoi, order of the sender, ess, i32
//	i f  trace, trace of the sender, i64            n c    thread, i64; component, i32
//	s l g  signature, its class, callee             h w u  host, cause or technology, time unit
//	S L I B  a string, i64 (or a fraction of as many bits), i32, truth value
type layout struct {
	kind   kind
	fields string
	wide   int // the field that surplus semicolons belong to
}

// fixed are the records whose names are not put together; of those that are skipped, the ones that a binary log
// is known to have, in which the length of each must be known.
var fixed = map[string]layout{
	"KiekerMetadataRecord":      {metadata, "SShIBLuL", 1},
	"TraceMetadata":             {trace, "inShLI", 2},
	"OperationExecutionRecord":  {execution, "sSitehod", 0},
	"ConstructionEvent":         {built, "tioSI", 3},
	"BeforeSentRemoteEvent":     {send, "tiow", 3},
	"BeforeReceivedRemoteEvent": {receive, "tfxio", 0},
	"CPUUtilizationRecord":      {skipped, "LSSLLLLLLL", 0},
	"MemSwapUsageRecord":        {skipped, "LSLLLLLL", 0},
	"TimestampRecord":           {skipped, "L", 0},
}

// layoutOf is the layout of a class of records.
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
		{"CallOperation", layout{call, "tioSSgl", 3}}, {"CallConstructor", layout{call, "tioSSgl", 3}},
	} {
		if more, is := strings.CutPrefix(rest, p.prefix); is {
			return p.layout.extend(more)
		}
	}
	return layout{}, false
}

// extend adds the fields that the rest of a name promises.
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
