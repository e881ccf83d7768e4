package ccsl

import (
	"math/rand"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tracelake/tracelake/testdata/expect"
)

// chosenBy are the places, from 1, of the ones among the first n digits of a word: its definition.
func chosenBy(prefix, period string, n int) (places []int64) {
	word := prefix
	for period != "" && len(word) < n {
		word += period
	}
	for i := range min(n, len(word)) {
		if word[i] == '1' {
			places = append(places, int64(i+1))
		}
	}
	return places
}

// places are those that gaps lead to, up to n.
func placesOf(s Sequence, n int64) (places []int64) {
	at := int64(0)
	for i := 0; ; i++ {
		switch {
		case i < len(s.Prefix):
			at += s.Prefix[i]
		case len(s.Period) > 0:
			at += s.Period[(i-len(s.Prefix))%len(s.Period)]
		default:
			return places
		}
		if at > n {
			return places
		}
		places = append(places, at)
	}
}

func TestGapsOfBinaryWords(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	digits := func(n int) string {
		var b strings.Builder
		for range n {
			b.WriteByte('0' + byte(rng.Intn(2)))
		}
		return b.String()
	}
	for range 2000 {
		prefix, period := digits(rng.Intn(8)), digits(rng.Intn(5))
		gaps, ok := gapsOf(prefix, period)
		expect.Equal(t, ok, strings.Contains(prefix+period, "1"), "%s(%s) selects something", prefix, period)
		if got, want := placesOf(gaps, 60), chosenBy(prefix, period, 60); ok && !slices.Equal(got, want) {
			t.Fatalf("%s(%s): %v, want %v", prefix, period, got, want)
		}
	}
	if _, ok := gapsOf("0012", ""); ok {
		t.Error("0012 is no binary word")
	}
}

// TestWordsOfThePaper reads the filters of section III and of equations 2a and 2b.
func TestWordsOfThePaper(t *testing.T) {
	for sequence, want := range map[string]string{
		"00(01)": "4(2)", "010000001": "2 7", "000010000": "5", "00(1)": "3(1)", "3(5)": "3(5)", "1(01)": "1(2)", "1(4)": "1(4)",
	} {
		text := `ClockConstraintSystem s { entryBlock b Block b { Clock a Sequence q = ` + sequence + `
			Expression f = FilterBy(FilterByClock -> a, FilterBySeq -> q) } }`
		spec := expect.Value(ReadExtended(fstest.MapFS{"main.extendedCCSL": {Data: []byte(text)}}, "main.extendedCCSL", Dialect{}))(t)
		gaps := spec.Constraints[0].Sequence
		expected := map[string]Sequence{
			"4(2)": {[]int64{4}, []int64{2}}, "2 7": {[]int64{2, 7}, nil}, "5": {[]int64{5}, nil}, "3(1)": {[]int64{3}, []int64{1}},
			"3(5)": {[]int64{3}, []int64{5}}, "1(2)": {[]int64{1}, []int64{2}}, "1(4)": {[]int64{1}, []int64{4}},
		}[want]
		expect.Slice(t, placesOf(gaps, 50), placesOf(expected, 50), "%s selects", sequence)
	}
}
