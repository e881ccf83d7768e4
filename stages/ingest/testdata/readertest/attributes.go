package readertest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
)

// Attributes reads a trace and shows what it says of its calls and events, one a line: "40 execution app.f size=9" or "50 event app.f ret=0", and of
// its signals their pieces: "signal 0..10 3 rank 0/PAPI".
func Attributes(t testing.TB, format schema.Format, reading *schema.Reading) (lines []string) {
	t.Helper()
	reader := format.NewReader(reading)
	tell := reader.(schema.AttributeReader)
	block := new(schema.Block)
	err := reader.Read(func(full *schema.Block) (*schema.Block, error) {
		if full == nil {
			return block, nil
		}
		of := tell.Attributed()
		for _, c := range full.Claims {
			about := "execution"
			if c.Resource == schema.RegularEvent {
				about = "event"
			}
			key := reader.Keys().At(full.Key[c.Row])
			text := fmt.Sprintf("%d %s %s.%s", full.TimeNs[c.Row], about, key.Component, key.Function)
			for _, a := range of.Sets.Append(nil, c.Set) {
				text += fmt.Sprintf(" %s=%s", of.Texts.Names.Name(a.Name), of.Texts.Values.Name(a.Value))
			}
			lines = append(lines, text)
		}
		full.Reset()
		return full, nil
	})
	of := tell.Attributed()
	if err == nil && of != nil && of.Fragments != nil {
		err = of.Fragments(func(some *schema.SignalFragments) error {
			for i, signal := range some.Signal {
				lines = append(lines, strings.TrimSpace(fmt.Sprintf("signal %d..%d %v %s", some.FromNs[i], some.ToNs[i], some.C[i], of.Signals[signal].Name)))
			}
			return nil
		})
	}
	if err != nil {
		t.Fatal(err)
	}
	return lines
}
