package components_test

import (
	"fmt"
	"math/rand"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/components"
)

// act is an event of a random trace.
type act struct {
	line, function int
	kind           schema.Kind
	message        int // 0: none
	sends          bool
}

// randomWords makes words of random call trees on some lifelines, in an order in which messages are sent before they are
// received, and first in first out for every receiver. Calls send at their start, and words receive at theirs.
func randomWords(rng *rand.Rand, count int) (words [][]act) {
	lines := 2 + rng.Intn(3)
	pending := make([][]int, lines)
	messages := 0
	for range count {
		line := rng.Intn(lines)
		word, open := []act{{line: line, function: rng.Intn(3), kind: schema.Enter}}, 1
		stack := []int{word[0].function}
		if n := len(pending[line]); n > 0 {
			word[0].message, pending[line] = pending[line][0], pending[line][1:]
		}
		for open > 0 {
			if open < 4 && rng.Intn(100) < 40 {
				a := act{line: line, function: rng.Intn(3), kind: schema.Enter}
				if rng.Intn(3) == 0 {
					messages++
					to := rng.Intn(lines)
					a.message, a.sends = messages, true
					pending[to] = append(pending[to], messages)
				}
				word, stack = append(word, a), append(stack, a.function)
				open++
				continue
			}
			open--
			word, stack = append(word, act{line: line, function: stack[open], kind: schema.Exit}), stack[:open]
		}
		words = append(words, word)
	}
	return words
}

// mostWaiting is how many messages wait at most for each lifeline that receives any, in a trace of words one after
// the other.
func mostWaiting(words [][]act) map[string]int {
	receiver, waiting, most := make(map[int]int), make(map[int]int), make(map[string]int)
	all := slices.Concat(words...)
	for _, a := range all {
		if a.message > 0 && !a.sends {
			receiver[a.message] = a.line
		}
	}
	for _, a := range all {
		line, received := receiver[a.message]
		if a.message == 0 || !received {
			continue
		}
		if waiting[line]--; a.sends {
			waiting[line] += 2
		}
		name := fmt.Sprint("line", line)
		most[name] = max(most[name], waiting[line])
	}
	return most
}

// traceOf makes a trace of events in order. All functions have the same operation.
func traceOf(all []act) *trace {
	tr := &trace{events: schema.NewEvents()}
	ev, names := tr.events, tr.events.Names
	tr.messages = schema.NewMessages(names)
	at := make(map[int][2]int64) // by message: seq of send and receive
	for i, a := range all {
		line, typ := a.component(), strings.TrimSuffix(a.typ(), "_ret")
		schema.Extend(ev, 1)
		ev.Seq[i], ev.TimeNs[i], ev.Kind[i], ev.Direction[i] = int64(i), int64(i), a.kind, schema.NoMessage
		ev.Component[i], ev.Lifeline[i] = names.Components.Code(line), names.Lifelines.Code(line)
		ev.Function[i], ev.ExecutionType[i] = names.Functions.Code(fmt.Sprint("f", a.function)), names.Types.Code(typ)
		ev.Peer[i], ev.Series[i], ev.Message[i], ev.MessageID[i] = schema.NoCode, schema.NoCode, schema.NoCode, schema.NoValue
		if ends := at[a.message]; a.message > 0 && a.sends {
			at[a.message] = [2]int64{int64(i), ends[1]}
		} else if a.message > 0 {
			at[a.message] = [2]int64{ends[0], int64(i) + 1}
		}
	}
	m := tr.messages
	for id := 1; id <= len(all); id++ {
		if ends := at[id]; ends[1] > 0 { // it is received
			schema.Extend(m, 1)
			row := len(m.SendSeq) - 1
			m.SendSeq[row], m.ReceiveSeq[row], m.MessageID[row], m.Series[row] = ends[0], ends[1]-1, int64(id), schema.NoCode
		}
	}
	for _, f := range []string{"f0", "f1", "f2"} {
		tr.notes = append(tr.notes, schema.Annotation{About: schema.AboutFunction, Subject: f, Name: schema.NoteInterface, Value: "I"},
			schema.Annotation{About: schema.AboutFunction, Subject: f, Name: schema.NoteOperation, Value: "f"})
	}
	return tr
}

// interleaved mixes the words of different lifelines and keeps the order of those of one.
func interleaved(rng *rand.Rand, words [][]act) (all []act) {
	queues := make(map[int][]act)
	for _, w := range words {
		queues[w[0].line] = append(queues[w[0].line], w...)
	}
	for left := len(slices.Concat(words...)); left > 0; {
		line := rng.Intn(5)
		if q := queues[line]; len(q) > 0 {
			all, queues[line] = append(all, q[0]), q[1:]
			left--
		}
	}
	return all
}

// shuffled is the trace of the words in another order.
func shuffled(rng *rand.Rand, words [][]act) []act {
	words = slices.Clone(words)
	rng.Shuffle(len(words), func(i, j int) { words[i], words[j] = words[j], words[i] })
	return slices.Concat(words...)
}

// options are random ones.
func options(rng *rand.Rand) components.Options {
	return components.Options{Local: rng.Intn(3) == 0, ByComponent: rng.Intn(3) == 0}
}

func (a act) component() string { return fmt.Sprint("line", a.line) }

// labelledEvent is a parsed event with its label.
func labelledEvent(all [][]act, word []act, set *components.Set) (labels []uint32) {
	other := make(map[[2]int]act) // the end of a message, by number and whether it sends
	for _, a := range slices.Concat(all...) {
		if a.message > 0 {
			other[[2]int{a.message, side(!a.sends)}] = a
		}
	}
	for _, a := range word {
		from, name := a, ""
		to, linked := other[[2]int{a.message, side(a.sends)}]
		switch {
		case a.message == 0 || !linked:
			name = a.component() + ".I__f__" + a.typ()
		default:
			if !a.sends {
				from, to = to, from
			}
			name = from.component() + ".I__f__" + from.typ() + "_" + to.typ() + "__" + to.component()
		}
		label, known := set.Alphabet.Lookup(name)
		if !known {
			panic(name)
		}
		labels = append(labels, label)
	}
	return labels
}

func side(sends bool) int {
	if sends {
		return 1
	}
	return 0
}

func (a act) typ() string {
	typ := []string{"blk", "trig", "fcn"}[a.function]
	if a.kind == schema.Exit {
		return typ + "_ret"
	}
	return typ
}
