package main

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/stages/checks/ccsl"
)

// specFlags name a specification of clock constraints and how it is meant.
type specFlags struct {
	file                                string   // its path
	delay, sampling, alternates, deaths string   // words of the flags
	bind                                []string // CLOCK=EVENT
}

// add declares the flags.
func (f *specFlags) add(p *pflag.FlagSet) {
	p.StringVar(&f.file, "spec", "", "a specification of clock constraints: TimeSquare's .extendedCCSL or LightCCSL's .lc")
	p.StringArrayVar(&f.bind, "bind", nil, "what a clock of it is, as CLOCK=UNIT:COMPONENT.FUNCTION> (entered), ...< (left), CLOCK=UNIT:!SERIES (sent) or ?SERIES (received, also by the message's label), CLOCK=UNIT:* (any event); else * and ? stand for letters; may be given often")
	p.StringVar(&f.delay, "zero-delay", "", "what a delay of 0 means: one (as TimeSquare) or none (LightCCSL); must be said where there is one")
	p.StringVar(&f.sampling, "sampling", "keeps", "what comes together with the trigger of SampledOn: keeps (counts for the next), drops, or now (counts for this one)")
	p.StringVar(&f.alternates, "nonstrict-alternates", "first", "where NonStrictAlternates lets both tick: first (CCSL.ccslLib) or second (mrtccsl)")
	p.StringVar(&f.deaths, "deaths", "spread", "whether relations hand on death: spread (TimeSquare) or local")
}

// read reads the specification in the language of its ending. Imports are looked up in the folder of the file.
// A word that the dialect does not know is wrong usage, and so is another ending.
func (f *specFlags) read() (*ccsl.Spec, error) {
	d, err := f.dialect()
	if err != nil {
		return nil, err
	}
	folder := os.DirFS(filepath.Dir(f.file)) // the file may import others beside it
	switch name := filepath.Base(f.file); filepath.Ext(name) {
	case ".extendedCCSL": // TimeSquare's language
		return ccsl.ReadExtended(folder, name, d)
	case ".lc": // LightCCSL's language
		return ccsl.ReadLight(folder, name, d)
	}
	return nil, console.Usagef("--spec %s: the name must end in .extendedCCSL (TimeSquare) or .lc (LightCCSL)", f.file)
}

// dialect returns how constructs are meant on which the tools differ. A delay of 0 has no default: each tool means another
// thing by it.
// The words of each flag stand beside their meaning, so that a further meaning is one entry.
func (f *specFlags) dialect() (d ccsl.Dialect, err error) {
	if d.ZeroDelay, err = word("zero-delay", f.delay, map[string]ccsl.ZeroDelay{
		"": ccsl.ZeroDelayUnsaid, "one": ccsl.ZeroDelayIsOne, "none": ccsl.ZeroDelayIsNone}); err != nil {
		return d, err
	}
	if d.Sampling, err = word("sampling", f.sampling, map[string]ccsl.Sampling{
		"keeps": ccsl.StrictKeeps, "drops": ccsl.StrictDrops, "now": ccsl.NonStrict}); err != nil {
		return d, err
	}
	if d.NonStrictAlternates, err = word("nonstrict-alternates", f.alternates, map[string]ccsl.NonStrictAlternates{
		"first": ccsl.CausesThenPrecedes, "second": ccsl.PrecedesThenCauses}); err != nil {
		return d, err
	}
	d.Deaths, err = word("deaths", f.deaths, map[string]ccsl.Deaths{"spread": ccsl.DeathsSpread, "local": ccsl.DeathsLocal})
	return d, err
}

// word returns what the word of a flag stands for.
func word[T any](flag, given string, words map[string]T) (T, error) {
	value, known := words[given]
	if !known {
		return value, console.Usagef("--%s %q: see --help", flag, given)
	}
	return value, nil
}

// bindings returns the event of every clock that --bind names.
// The last one counts where a clock is bound twice.
func (f *specFlags) bindings() (map[string]string, error) {
	all := make(map[string]string)
	for _, pair := range f.bind {
		clock, event, ok := strings.Cut(pair, "=")
		if !ok || clock == "" || event == "" {
			return nil, console.Usagef("--bind %q: write CLOCK=UNIT:COMPONENT.FUNCTION>", pair)
		}
		all[clock] = event // the last one counts
	}
	return all, nil
}
