package main

import (
	_ "embed" // of the text that plants changes
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/tracelake/tracelake/cmd/internal/console"
)

//go:embed recorder/tracelake_plant.c
var plantingRecorder string

// plant is a change that the recorder makes in a function of the program that it records.
type plant struct {
	function string        // as the linker names it
	share    float64       // of its own time, that each call is busy longer
	sleep    time.Duration // of each call
}

// symbol is what a linker may name a function. It is written into a text in C.
var symbol = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_$.]*$`)

// The bounds of what can be planted: more is a slip.
const (
	mostShare = 100         // times as long, at most: 10,000 %
	mostSleep = time.Minute // at most, of one call
)

// parsePlant reads FUNCTION=20% or FUNCTION=500us.
func parsePlant(text string) (p plant, err error) {
	name, change, found := strings.Cut(text, "=")
	if !found || !symbol.MatchString(name) {
		return p, console.Usagef("--plant %q: write FUNCTION=20%% or FUNCTION=500us, with the function as the linker names it", text)
	}
	p.function = name
	// Busy: more processor time, by a share of the function's own.
	if percent, busy := strings.CutSuffix(change, "%"); busy {
		share, err := strconv.ParseFloat(percent, 64)
		// The comparison is written so that NaN fails it.
		if p.share = share / 100; err != nil || !(p.share >= 0 && p.share <= mostShare) {
			return p, console.Usagef("--plant %q: a share of the function's own time is 0%% to %d%%", text, 100*mostShare)
		}
		return p, nil
	}
	// Asleep: waiting without processor time, by a fixed time.
	if p.sleep, err = time.ParseDuration(change); err != nil || p.sleep <= 0 || p.sleep > mostSleep {
		return p, console.Usagef("--plant %q: write a share such as 20%%, or how long each call sleeps, such as 500us, up to %s", text, mostSleep)
	}
	return p, nil
}

// recorderWith returns the source of the recorder, which plants some changes.
func recorderWith(changes []string) (string, error) {
	if len(changes) == 0 {
		return recorder, nil
	}
	// Rows of a table in C: the function, its share, its sleep in ns.
	var rows []string
	seen := make(map[string]bool)
	for _, text := range changes {
		p, err := parsePlant(text)
		if err != nil {
			return "", err
			// Two changes of one function would have no order.
		}
		if seen[p.function] {
			return "", console.Usagef("--plant: %s is named twice", p.function)
		}
		seen[p.function] = true
		rows = append(rows, fmt.Sprintf("{%q, %g, %d}", p.function, p.share, p.sleep.Nanoseconds()))
	}
	// The table stands before the code that reads it; the recorder itself is the plain one.
	return "#define TRACELAKE_PLANTS " + strings.Join(rows, ", ") + "\n" + plantingRecorder + recorder, nil
}
