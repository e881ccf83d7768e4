package ctf

import (
	"errors"
	"testing"
	"testing/fstest"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/testdata/readertest"
	"github.com/tracelake/tracelake/testdata/expect"
)

// TestNumbersOfLines reads numbers as babeltrace2 prints them; what is none is a text.
func TestNumbersOfLines(t *testing.T) {
	for text, want := range map[string]uint64{
		"0": 0, "7": 7, "18446744073709551615": 1<<64 - 1, "-1": 1<<64 - 1, "-9223372036854775808": 1 << 63, "0x10": 16, "0XfF": 255,
		"0xffffffffffffffff": 1<<64 - 1,
	} {
		got, is := parseNumber([]byte(text))
		expect.Equal(t, got, want, "%s", text)
		expect.Equal(t, is, true, "%s", text)
	}
	for _, text := range []string{"", "x", "1.5", "-", "0x", "0xg", "18446744073709551616", "-9223372036854775809", "0x10000000000000000", "1x10", "a-1"} {
		if n, is := parseNumber([]byte(text)); is {
			t.Errorf("%q is %d", text, n)
		}
	}
}

// growing is a text of which the first pass sees some lines only, since it is still written.
type growing struct {
	script
	seen int64
}

func (g growing) Each(final bool, yield func(*Line) error) error {
	return g.script.Each(final, func(line *Line) error {
		if !final && line.Number > g.seen {
			return nil
		}
		return yield(line)
	})
}

// TestGrowingText reads a text that grows while it is read: new events of known names are read, those of new names or hosts are counted.
func TestGrowingText(t *testing.T) {
	s := parseScript(t, `host h ust
1 0 app:x_begin vtid=5 | n=1
2 0 app:x_end vtid=5 | n=1
3 0 app:x_begin vtid=5 | n=1
4 0 app:y_begin vtid=5 | n=1
5 0 app:x_end vtid=5 | n=1
host other ust
6 0 app:x_begin vtid=5 | n=1
`)
	expect.Equal(t, telling(readLines(growing{s, 2}, schema.ReadingOptions{})), `1 process/1 app > x
2 process/1 app < x
3 process/1 app > x
5 process/1 app < x
loss unknown_record 2
`, "a text that grew")
	expect.Equal(t, telling(readLines(growing{s, 0}, schema.ReadingOptions{})), "loss unknown_record 6\nerror t.txt: no events\n", "a text that was empty")
}

// long is a text of one event many times over.
type long int64

func (n long) Each(_ bool, yield func(*Line) error) error {
	for i := int64(1); i <= int64(n); i++ {
		name := "app:x_begin"
		if i%2 == 0 {
			name = "app:x_end"
		}
		if err := yield(&Line{Ns: i, Number: i, Name: []byte(name), Fields: []Field{{Name: []byte("n"), Value: []byte("7")}}}); err != nil {
			return err
		}
	}
	return nil
}

// TestInterruptedText ends what goes through a text beforehand when the reading is interrupted, soon after, whichever pass that is.
func TestInterruptedText(t *testing.T) {
	interrupt := errors.New("interrupted")
	passes := 0
	for after := 0; ; after++ {
		asked := 0
		r := NewLineReader(readertest.Reading(fstest.MapFS{}, ""), "t.txt", long(2*linesUnheard))
		err := r.Read(func(full *schema.Block) (*schema.Block, error) {
			if asked++; full != nil && len(full.TimeNs) > 0 {
				return new(schema.Block), nil
			}
			if asked > after {
				return new(schema.Block), interrupt
			}
			return new(schema.Block), nil
		})
		if err == nil {
			break
		}
		if !errors.Is(err, interrupt) {
			t.Fatalf("after %d: %v", after, err)
		}
		passes++
	}
	// Each of the two passes beforehand is asked twice, and the last one once before it begins.
	expect.Equal(t, passes, 5, "times at which a reading can be interrupted")
}

// TestLossesOfLines names the line of a loss.
func TestLossesOfLines(t *testing.T) {
	s := parseScript(t, "host h ust\n1 0 lttng_ust_cyg_profile_fast:func_exit vtid=5\n2 0 app:x_begin vtid=5\n3 0 app:x_end vtid=5\n4 0 app:odd vtid=5\n")
	reading := readertest.Reading(fstest.MapFS{}, "")
	r := NewLineReader(reading, "t.txt", s)
	var read readertest.Result
	expect.OK(t, r.Read(read.Collect(r)))
	var places []string
	for _, l := range reading.Ledger.Losses("") {
		places = append(places, l.Reason+" "+l.FirstPosition)
	}
	expect.Slice(t, places, []string{"skipped_record t.txt:4:1: event app:odd", "unmatched_exit t.txt:1"}, "places")
}
