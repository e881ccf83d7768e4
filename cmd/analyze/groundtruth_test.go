package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/benchmarks/machine"
	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/testdata/expect"
)

// TestDeadlineNamesThePlantedCause lets machines run whose setpoints are delayed now and then: the trigger
// lens_ctrl_update_model takes 90 ms to 180 ms longer, just before a blocking call to lens_ctrl (Jonk et al. 2019, Fig. 10).
// Every setpoint that was delayed must miss the deadline, and the first cause told must be that function in
// that setpoint; no other setpoint may be told so. The function runs for every setpoint, delayed or not.
//
// The deadline is that of equation (3), T_C(i) <= T_SS - T_O. T_SS, the time of Step and Scan, is 150 ms in package machine.
// T_O is the time between them that C(i) does not take: of expose_field, queue_actions (0.6 ms at most in the first of
// these runs) and messages of 1 us, which makes 1 ms with room to spare.
//
// Setpoints without a delay take about 90 ms in machine 1 and 145 ms in machine 6, where many are late by themselves.
func TestDeadlineNamesThePlantedCause(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: runs of a million events")
	}
	delayed, named, late, checked := 0, 0, 0, 0
	for _, c := range []struct {
		machine uint64
		run     machine.Run
	}{
		{1, machine.Run{Seed: 1, Events: 200_000, Contention: 8}},
		{1, machine.Run{Seed: 2, Events: 200_000, Contention: 3}},
		{2, machine.Run{Seed: 3, Events: 200_000, Contention: 5}},
		{6, machine.Run{Seed: 1, Events: 300_000, Contention: 8}},
		{6, machine.Run{Seed: 2, Events: 200_000, Contention: 4}},  // 9 setpoints are in time
		{7, machine.Run{Seed: 21, Events: 200_000, Contention: 5}}, // one then waits for a sporadic activity, too
	} {
		t.Run(fmt.Sprintf("machine %d seed %d", c.machine, c.run.Seed), func(t *testing.T) {
			planted := simulate(t, c.machine, c.run)
			v := lateBecause(t, "149ms")
			delayed += len(planted)
			late += len(v.Missed) - len(planted)
			named += checkAgainstPlanted(t, v, planted)
			if len(v.Missed) == len(planted) { // in other machines setpoints are late by themselves
				checkFailsWherePlanted(t, planted)
				checked += len(planted)
			}
		})
	}
	t.Logf("%d delays were planted and %d named; %d other setpoints were late", delayed, named, late)
	if checked < 5 {
		t.Errorf("only %d delays were looked for by a requirement", checked)
	}
	if delayed < 30 || named != delayed || late < 20 {
		t.Errorf("%d delays were planted and %d named; %d other setpoints were late", delayed, named, late)
	}
}

// simulate runs a machine, and analyzes the run under the name "machine". It returns the delays by setpoint.
func simulate(t *testing.T, seed uint64, r machine.Run) map[int64]machine.Delay {
	t.Helper()
	t.Chdir(t.TempDir())
	m := expect.Value(machine.Build(0, seed))(t)
	file := expect.Value(os.Create("machine.txt"))(t)
	defer file.Close()
	w := expect.Value(machine.NewWriter(file, m, "thesis"))(t)
	_, delays, err := m.Run(r, w.Write)
	expect.OK(t, err)
	expect.OK(t, w.Flush())
	var said bytes.Buffer
	if err := load(t.Context(), []string{"machine.txt"}, nil, io.Discard, &said); err != nil {
		t.Fatal(err, said.String())
	}
	if err := run(t.Context(), []string{"run", "--quiet"}, nil, io.Discard, &said); err != nil {
		t.Fatal(err, said.String())
	}
	planted := make(map[int64]machine.Delay)
	for _, d := range delays {
		planted[d.Exposure] = d // an exposure computes one setpoint
	}
	return planted
}

// lateSetpoints is the part of the JSON of missed deadlines that says why.
type lateSetpoints struct {
	Missed []struct {
		Occurrence int64
		Causes     []struct {
			Component string
			Function  *string
			Sender    *string
			ExcessNs  int64 `json:"excess_ns"`
		}
	}
}

// lateBecause asks why setpoints were late.
func lateBecause(t *testing.T, deadline string) (v lateSetpoints) {
	t.Helper()
	var out, said bytes.Buffer
	args := []string{"critical-path", "machine", "--to", "expose_ctrl.compute_setpoint", "--deadline", deadline, "--format", "json"}
	if err := run(t.Context(), args, nil, &out, &said); err != nil {
		t.Fatal(err, said.String())
	}
	expect.OK(t, json.Unmarshal(out.Bytes(), &v))
	return v
}

// checkAgainstPlanted compares verdicts with what was planted, and counts the delays that were named first.
func checkAgainstPlanted(t *testing.T, v lateSetpoints, planted map[int64]machine.Delay) (named int) {
	t.Helper()
	late := make(map[int64]bool)
	for _, m := range v.Missed {
		late[m.Occurrence] = true
		for i, c := range m.Causes {
			where := c.Component
			if c.Function != nil {
				where += "." + *c.Function
			}
			d, delayed := planted[m.Occurrence]
			switch {
			case delayed && i == 0 && where == d.Component+"."+d.Function && c.Sender == nil:
				named++
				// The rest of the step is its usual part, of which the usual limit was taken.
				if c.ExcessNs < d.ExtraNs*9/10 || c.ExcessNs > d.ExtraNs*11/10 {
					t.Errorf("setpoint %d was delayed by %d ns, told are %d", m.Occurrence, d.ExtraNs, c.ExcessNs)
				}
			case delayed && i == 0:
				t.Errorf("setpoint %d is said to be late because of %s", m.Occurrence, where)
			case !delayed && where == "lens_ctrl.lens_ctrl_update_model":
				t.Errorf("setpoint %d was not delayed, but is said to be late because of %s", m.Occurrence, where)
			}
		}
	}
	for exposure := range planted {
		if !late[exposure] {
			t.Errorf("setpoint %d was delayed, but is in time", exposure)
		}
	}
	return named
}

// checkFailsWherePlanted holds the run against the requirement that every setpoint comes within 149 ms: it must fail at the setpoints that
// were delayed and nowhere else, and the reason given for each must be the function that was.
func checkFailsWherePlanted(t *testing.T, planted map[int64]machine.Delay) {
	t.Helper()
	const setpoint = "{'component'='expose_ctrl', 'function'='compute_setpoint'}"
	expect.OK(t, os.WriteFile("machine.etl", []byte("check every_setpoint : globally if start "+setpoint+" then within 149 ms end "+setpoint+"\n"), 0o666))
	analyze := func(code int, args ...string) string {
		t.Helper()
		var out, said bytes.Buffer
		if err := run(t.Context(), args, nil, &out, &said); console.Report("analyze", err, &said) != code {
			t.Fatalf("%v: %v %s", args, err, &said)
		}
		return out.String()
	}
	analyze(console.Changed, "check", "machine", "--spec", "machine.etl")
	query := "SELECT x.number FROM check_failures f JOIN executions x ON x.execution = f.seq WHERE f.check_name = 'every_setpoint' ORDER BY f.seq"
	failed := strings.Fields(analyze(console.OK, "query", "--format", "csv", query))[1:] // behind the name of the column
	var want []string
	for _, exposure := range slices.Sorted(maps.Keys(planted)) {
		want = append(want, fmt.Sprint(exposure))
	}
	expect.Slice(t, failed, want, "setpoints that fail")
	for i, exposure := range slices.Sorted(maps.Keys(planted)) {
		text := analyze(console.OK, "check", "machine", "--spec", "machine.etl", "--explain", fmt.Sprintf("every_setpoint#%d", i+1))
		_, causes, _ := strings.Cut(text, "because of\n")
		first, _, _ := strings.Cut(causes, "\n")
		if d := planted[exposure]; !strings.HasSuffix(first, " "+d.Component+"."+d.Function) {
			t.Errorf("setpoint %d was delayed by %s.%s, and is explained by %q", exposure, d.Component, d.Function, first)
		}
	}
}
