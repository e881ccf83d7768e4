package chrome

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/tracelake/tracelake/schema"
)

// kernels is the category of work of a device that a program wrote.
const kernels = "kernel"

// meetingLabel is the label of messages between the ranks that do a collective together.
const meetingLabel = "collective"

// meetings are the calls of collectives, such as all_reduce, on this rank of a program with several. Whoever does one waits until all others have
// begun it: every rank sends a message to every other when its kernel begins, which that one receives when its own kernel ends. The ranks of a run are
// traces of their own, so that both ends follow from what each of them knows: the group, how many collectives of it were before, and its own rank. So
// clocks of ranks that are apart are bounded from both sides. It takes 32 bytes a call, and n-1 messages of each of n ranks.
//
// The profiler (Kineto) names group, ranks and collective in the arguments of the kernel, and the rank of the file in distributedInfo. Where one of them
// is missing, or a group is so large that the profiler cuts its list of ranks, nothing is tied; nor are collectives of which not all wait for all, such
// as a broadcast.
type meetings struct {
	*reader
	rank    int64 // of this trace; none where it does not say
	calls   []meeting
	members map[word][]int64 // ranks of a list as it is written; nil where that is none
	met     map[[2]word]uint64
}

// meeting is a call of a collective.
type meeting struct {
	span
	of, ranks, collective word // the group by its name and its ranks
}

// inWhichAllWait are the collectives that end on no rank before all ranks have begun, as the profiler calls them.
var inWhichAllWait = []string{
	"allreduce", "allreduce_coalesced", "allgather", "_allgather_base", "allgather_into_tensor_coalesced", "reduce_scatter", "_reduce_scatter_base",
	"reduce_scatter_tensor_coalesced", "all_to_all", "all_to_allv", "barrier",
}

// take takes a kernel whose arguments name a collective.
func (m *meetings) take(rec *record, args *deviceArgs) {
	if m.reading.IsPart && slices.Contains(inWhichAllWait, m.words.texts[args.collective]) {
		m.calls = append(m.calls, meeting{span{rec.timeNs, rec.more, rec.site}, args.group, args.ranks, args.collective})
	}
}

// settle gives the messages of all collectives to the sorter of the records. The collectives of a group run in one order on all of its ranks.
func (m *meetings) settle() error {
	if m.rank == none {
		return nil
	}
	slices.SortStableFunc(m.calls, func(a, b meeting) int { return cmp.Compare(a.from, b.from) })
	m.members, m.met = make(map[word][]int64), make(map[[2]word]uint64)
	for i := range m.calls {
		c := &m.calls[i]
		group := [2]word{c.of, c.ranks}
		before := m.met[group]
		m.met[group]++
		ranks := m.ranksOf(c.ranks)
		if !slices.Contains(ranks, m.rank) {
			continue
		}
		which := before
		for _, known := range []word{c.of, c.ranks, c.collective} {
			which = mix(which, m.words.hashOf([]byte(m.words.texts[known])))
		}
		for _, other := range ranks {
			if other == m.rank {
				continue
			}
			for _, r := range []record{
				{timeNs: c.from, more: exchangeOf(which, m.rank, other), site: c.site, what: enterMeeting},
				{timeNs: c.from, more: exchangeOf(which, other, m.rank), site: c.site, what: exitMeeting},
			} {
				if err := m.sorter.Add(r); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// exchangeOf is the identifier of the message from one rank to another in a collective.
func exchangeOf(which uint64, from, to int64) int64 {
	return int64(mix(mix(which, uint64(from)), uint64(to)))
}

// ranksOf reads a list of ranks as the profiler writes it: [0, 1, 2]. It is nil for any other text, such as one that is cut: [0, 1, ..., 63].
func (m *meetings) ranksOf(list word) []int64 {
	if ranks, known := m.members[list]; known {
		return ranks
	}
	m.members[list] = nil
	text, isList := strings.CutPrefix(strings.TrimSuffix(m.words.texts[list], "]"), "[")
	var ranks []int64
	for field := range strings.SplitSeq(text, ",") {
		rank, err := strconv.ParseInt(strings.TrimSpace(field), 10, 64)
		if !isList || err != nil || slices.Contains(ranks, rank) {
			return nil
		}
		ranks = append(ranks, rank)
	}
	m.members[list] = ranks
	return ranks
}

// meetingEnd is an end of a message between ranks.
func (p *player) meetingEnd(r *record) message {
	direction := schema.Send
	if r.what == exitMeeting {
		direction = schema.Receive
	}
	return p.crossing(direction, meetingLabel, uint64(r.more))
}
