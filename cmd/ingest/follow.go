package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/cmd/internal/mapping"
	"github.com/tracelake/tracelake/pipeline/ingest"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/lake/stores"
	"github.com/tracelake/tracelake/pipeline/live"
	"github.com/tracelake/tracelake/pipeline/workers"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// begun is how a recording was begun, kept beside it as JSON.
type begun struct {
	Flags []string // of ingest, as words of a command line
	Name  string   // of the file with the trace
	Place string   // the path of the trace, "" where it came through a pipe

	Preamble int64 `json:",omitempty"` // bytes that were not sent, of a recording that goes on with another one

	Parts []part `json:",omitempty"` // of a run of several traces, which have the name and place instead
}

// part is one of several traces of a run.
type part struct{ Name, Place string }

// followTraces records traces until they end, and makes a run of each, or one of all.
func (f *flags) followTraces(ctx context.Context, traces []string, labels map[string]string, options schema.ReadingOptions) error {
	if err := f.followable(traces); err != nil {
		return err
	}
	jobs, _, err := f.nameRuns(traces)
	if err != nil {
		return err
	}
	named, err := mapping.Read(f.mapped)
	if err != nil {
		return err
	}
	l, err := f.open()
	if err != nil {
		return err
	}
	console.Linger(ctx) // an interrupt is the ordinary end of a trace, of which a run is made then
	f.sealing = new(sync.Mutex)
	all, failed := new(workers.Group), make([]error, len(jobs))
	for i := range jobs {
		f.complete(&jobs[i], l, labels, options, named)
		all.Go(func() error { // one that fails does not end the others
			failed[i] = f.followJob(ctx, l, &jobs[i])
			return nil
		})
	}
	return errors.Join(append(failed, all.Wait())...)
}

// followJob records the traces of one run.
func (f *flags) followJob(ctx context.Context, l *lake.Lake, j *ingest.Job) error {
	release, err := f.leaseNow(ctx, l, j.Run)
	if err != nil {
		return err
	}
	defer release()
	if f.roll > 0 {
		return f.followSeries(ctx, l, j, j.Paths[0])
	}
	if have, err := l.Manifest("runs", lake.Run(j.Run)); err != nil || have != nil && !f.replace {
		return cmp.Or(err, fmt.Errorf("run %s is in the lake already: name another one with --run, or give --replace", j.Run))
	}
	if len(j.Paths) > 1 {
		return f.followParts(ctx, l, j)
	}
	return f.followTrace(ctx, l, j, j.Paths[0])
}

// followTrace records one trace until it ends, and makes a run of it.
func (f *flags) followTrace(ctx context.Context, l *lake.Lake, j *ingest.Job, trace string) error {
	network, address := sentTo(trace)
	isFile, b := f.begins(trace)
	r, err := f.openRecording(l, j.Run, b)
	if err != nil {
		return err
	}
	defer r.Close()
	log := f.Logger(f.stderr)
	if r.Length() > 0 {
		log.Info(fmt.Sprintf("run %s: goes on with a recording of %s", j.Run, megabytes(r.Length())))
	}
	if r.Length() > 0 && !isFile {
		return fmt.Errorf("run %s has a recording of %s that nobody ended, and %s cannot go on where that stopped: make a run of it by: ingest seal %s",
			j.Run, megabytes(r.Length()), trace, j.Run)
	}
	source, where, err := f.source(trace, network, address, r, j)
	if err != nil {
		if r.Length() == 0 {
			err = errors.Join(err, r.Remove())
		}
		return err
	}
	defer source.Close()
	f.tellBegin(j.Run, where, "")
	show, err := f.show(r, j, b.Name)
	if err != nil {
		return err
	}
	defer show.Close()
	if err := f.record(ctx, source, recorded{j.Run, j.Run, r, show}, nil); err != nil {
		return err
	}
	source.Close() // who sends more is told so at once
	// A second interrupt ends the process, and the recording stays.
	j.Place = b.Place
	return f.seal(context.WithoutCancel(ctx), l, j, r)
}

// recorded is a recording at hand.
type recorded struct {
	run, what string // what it is to the user: the run, or a part of it
	r         *live.Recording
	show      *live.Decoder
}

// followable refuses what --follow cannot record.
func (f *flags) followable(traces []string) error {
	switch {
	case f.split != "":
		return console.Usagef("--follow and --split: a trace is split when it is whole; ingest the recorded one")
	case f.idle < 0:
		return console.Usagef("--idle %v: it is not negative", texttab.Flag(f.idle))
	case len(traces) > 1 && f.run != "" && f.roll > 0:
		return console.Usagef("--roll and one run of several traces: they do not end at the same record; leave --run away for a series each, or --roll")
	}
	names := make(map[string]string)
	for i, trace := range traces {
		network, _ := sentTo(trace)
		switch {
		case strings.HasPrefix(trace, "net://"), strings.HasPrefix(trace, "net4://"), strings.HasPrefix(trace, "net6://"):
			return console.Usagef("%[1]s: the relay of LTTng is not read here, but by babeltrace2: babeltrace2 %[1]s | ingest --follow --run NAME -", trace)
		case network == "uftrace" && f.roll > 0:
			return console.Usagef("--roll and uftrace: what uftrace sends can be read only when its program has ended, and becomes one run then; leave --roll away")
		case trace == "-" && slices.Contains(traces[:i], "-"):
			return console.Usagef("- is the standard input, of which there is one")
		case network != "" && f.run == "":
			return console.Usagef("%s cannot name a run: give it a name with --run", trace)
		}
		if other, taken := names[f.partOf(i, trace).Name]; taken && f.run != "" {
			return console.Usagef("%s and %s have the same name, by which the parts of a run are told apart: give one of them another name, or record two runs", other, trace)
		}
		names[f.partOf(i, trace).Name] = trace
	}
	return nil
}

// begins says what a recording of a trace is called, and whether that is a file, which a recorder can go on with.
func (f *flags) begins(trace string) (isFile bool, b begun) {
	b = begun{Flags: f.changed, Name: "trace"} // what comes through a pipe has no name
	if network, _ := sentTo(trace); network == "" && trace != "-" {
		isFile, b.Name, b.Place = true, filepath.Base(trace), trace
	}
	return isFile, b
}

// tellBegin says what is recorded, and where it is to be seen.
func (f *flags) tellBegin(run, where, more string) {
	log := f.Logger(f.stderr)
	log.Info(fmt.Sprintf("run %s: records %s; Ctrl-C ends it and makes the run%s", run, where, more))
	log.Info(fmt.Sprintf("run %s: to watch it, start analyze --lake %s serve, and open /live/%s behind the address that it prints", run, f.Lake, url.PathEscape(run)))
}

// show begins the view of a recording.
func (f *flags) show(r *live.Recording, j *ingest.Job, name string) (*live.Decoder, error) {
	return r.Show(live.Reading{File: name, Detect: j.Detect, Options: j.Options, Map: j.Map, Say: func(sentence string) {
		f.Logger(f.stderr).Info("run " + j.Run + ": " + sentence)
	}})
}

// record records a source until it ends, and shows it while it comes. Where the recording fails, as by a full disk, whoever writes goes on.
func (f *flags) record(ctx context.Context, source live.Source, h recorded, s *series) error {
	log := f.Logger(f.stderr)
	o := live.Options{Idle: f.idle, Show: h.show, Tell: f.tellLength(source, func() (string, *live.Decoder) { return h.what, h.show })}
	if s != nil {
		o.Rolls, o.Room, o.Tell = s, s.room, f.tellLength(source, func() (string, *live.Decoder) { return s.run, s.show })
	}
	err := live.Follow(ctx, source, h.r, o)
	if s != nil {
		h = recorded{s.run, s.run, s.r, s.show}
	}
	if words := amiss(source, h.show); words != "" {
		log.Info(fmt.Sprintf("run %s: %s recorded%s", h.what, megabytes(h.r.Length()), words))
	}
	if err == nil {
		return nil
	}
	err = fmt.Errorf("run %s: %w; what is recorded stays, and becomes a run by: ingest seal %s", h.what, err, h.run)
	if live.Drains(source) && ctx.Err() == nil {
		log.Info(err.Error())
		log.Info("what still comes is thrown away, so that who writes it goes on; Ctrl-C ends that")
		live.Drain(ctx, source, f.idle)
	}
	return err
}

// sentTo takes apart an address to which traces are sent: tcp:HOST:PORT, unix:PATH, otlp:HOST:PORT,
// kieker:HOST:PORT,PORT or uftrace:HOST:PORT. Anything else has no network.
func sentTo(trace string) (network, address string) {
	network, address, _ = strings.Cut(trace, ":")
	if !slices.Contains([]string{"tcp", "unix", "otlp", "kieker", "uftrace"}, network) {
		return "", ""
	}
	return network, address
}

// leaseNow takes the lease of a run, which whoever records it has. It does not wait for that one.
func (f *flags) leaseNow(ctx context.Context, l *lake.Lake, run string) (release func(), err error) {
	soon, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	release, err = l.Lease(soon, lake.Run(run))
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		return nil, fmt.Errorf("run %s is being recorded or ingested by another process: name another one with --run", run)
	}
	return release, err
}

// openRecording opens the recording of a run and tells of what it has. A new one notes the flags, for ingest seal.
func (f *flags) openRecording(l *lake.Lake, run string, b begun) (*live.Recording, error) {
	r, err := live.Open(l, run, b.Name)
	if err != nil {
		return nil, err
	}
	r.Preamble = b.Preamble
	if r.Dropped > 0 {
		f.Logger(f.stderr).Info(fmt.Sprintf("run %s: %s at the end of the recording were torn, and are dropped", run, megabytes(r.Dropped)))
	}
	if r.Length() > 0 {
		return r, nil
	}
	if err := noteBegun(l, run, b); err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

// noteBegun writes down how a recording was begun.
func noteBegun(l *lake.Lake, run string, b begun) error {
	text, err := json.Marshal(b)
	if err == nil {
		err = os.WriteFile(filepath.Join(live.Folder(l, run), live.BegunName), text, 0o666)
	}
	return err
}

// readBegun reads how a recording was begun.
func readBegun(l *lake.Lake, run string) (b begun, err error) {
	path := filepath.Join(live.Folder(l, run), live.BegunName)
	text, err := os.ReadFile(path)
	if err != nil {
		return b, err
	}
	if err := json.Unmarshal(text, &b); err != nil || b.Name == "" && len(b.Parts) == 0 {
		return b, fmt.Errorf("%s does not say how the recording was begun: ingest the file beside it", path)
	}
	return b, nil
}

// source opens what is followed, and says what it is in words.
func (f *flags) source(trace, network, address string, r *live.Recording, j *ingest.Job) (live.Source, string, error) {
	switch {
	case trace == "-":
		return live.NewStream(f.stdin), "the standard input", nil
	case network == "otlp":
		s, at, err := live.ListenOTLP(address, func(head []byte) bool {
			format, err := j.Detect("trace", head)
			return err == nil && format.Name == "otlp"
		})
		if err != nil {
			return nil, "", err
		}
		where := "what is posted to http://" + at[0].String() + "/v1/traces"
		if len(at) > 1 {
			where += ", and what is sent by gRPC to http://" + at[1].String()
		}
		return s, where, nil
	case network == "kieker":
		s, at, err := live.ListenKieker(address)
		if err != nil {
			return nil, "", err
		}
		where := "what TCP writers of Kieker send to " + at[0].String()
		if len(at) > 1 {
			where += ", and those that send their registry by itself to " + at[1].String()
		}
		return s, where, nil
	case network == "uftrace":
		s, at, err := live.ListenUftrace(address)
		if err != nil {
			return nil, "", err
		}
		return s, "what uftrace record --host sends to " + at.String() + ", until the program ends", nil
	case network != "":
		s, at, err := live.Listen(network, address)
		if err != nil {
			return nil, "", err
		}
		return s, "what is sent to " + network + ":" + at.String(), nil
	}
	s, err := live.OpenFile(trace, r, func(sentence string) { f.Logger(f.stderr).Info(trace + ": " + sentence) })
	return s, trace, err
}

// tellLength shows how much is recorded, now and then, and at once when something of it is amiss for the first time.
func (f *flags) tellLength(source live.Source, atHand func() (run string, show *live.Decoder)) func(int64) {
	told, warned := time.Now(), false
	return func(length int64) {
		run, show := atHand()
		words := amiss(source, show)
		now := time.Now()
		if f.Quiet || now.Sub(told) < 10*time.Second && (warned || words == "") {
			return
		}
		told, warned = now, words != ""
		f.Logger(f.stderr).Info(fmt.Sprintf("run %s: %s recorded%s", run, megabytes(length), words))
	}
}

// amiss says what of a recording could not be read or does not show, in words that follow how much is recorded; "" if there is nothing of it.
func amiss(source live.Source, show *live.Decoder) (words string) {
	if s, is := source.(interface{ Refused() string }); is && s.Refused() != "" {
		words = "; " + s.Refused()
	}
	if n := show.Bad(); n > 0 {
		words += "; " + texttab.Plural(n, "bad record") + ", which will be losses of the run"
	}
	if n := show.Refused(); n > 0 {
		words += "; " + texttab.Plural(n, "event") + " not shown while it is recorded, as there are too many names; the run will have them"
	}
	return words
}

// megabytes writes how much of a trace is recorded.
func megabytes(n int64) string { return fmt.Sprintf("%.1f MB", float64(n)/1e6) }

// seal makes a run of a recording, and takes the recording away when the run is there.
func (f *flags) seal(ctx context.Context, l *lake.Lake, j *ingest.Job, r *live.Recording) error {
	if r.Length() == 0 {
		return errors.Join(fmt.Errorf("run %s: nothing came, so there is no run", j.Run), r.Remove())
	}
	j.Paths = []string{r.Trace}
	if f.whole && r.Length() < wholeBytes {
		j.Cut.Bytes = -1
	}
	if err := f.makeSealed(ctx, l, j); err != nil {
		return err
	}
	return r.Remove()
}

// makeSealed makes the run of a recording. Recordings that end at the same time become runs one after the other.
func (f *flags) makeSealed(ctx context.Context, l *lake.Lake, j *ingest.Job) error {
	if f.sealing != nil {
		f.sealing.Lock()
		defer f.sealing.Unlock()
	}
	if err := f.ingestJobs(ctx, l, []ingest.Job{*j}, []*runName{nil}); err != nil {
		return fmt.Errorf("%w; the recording stays, and can be ingested with other flags: %s", err, strings.Join(j.Paths, " "))
	}
	return nil
}

// noteChanged keeps what the command line says beside the defaults, as words of a command line.
func (f *flags) noteChanged(p *pflag.FlagSet) {
	p.Visit(func(flag *pflag.Flag) {
		if slices.Contains([]string{"lake", "run", "follow", "idle", "roll", "keep", "quiet", "jobs", "memory", "log-format"}, flag.Name) {
			return
		}
		values := []string{flag.Value.String()}
		if list, is := flag.Value.(pflag.SliceValue); is {
			values = list.GetSlice()
		}
		for _, value := range values {
			f.changed = append(f.changed, "--"+flag.Name+"="+value)
		}
	})
}

// sealCommand makes runs of recordings that were left behind.
func (f *flags) sealCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "seal [RUN]...", Short: "Make runs of recordings that ingest --follow left behind",
		Long: `Makes runs of what ingest --follow recorded before it was killed, or could not make a run of; without arguments, of all that nobody records
any more. The flags of ingest hold that the recording was begun with.`,
		Example: "  ingest seal --lake lake\n  ingest seal --lake lake tonight",
		RunE:    func(c *cobra.Command, args []string) error { return f.sealAll(c.Context(), args) },
	}
	return c
}

// sealAll seals recordings by name, or all.
func (f *flags) sealAll(ctx context.Context, runs []string) error {
	l, err := stores.Open(f.Lake, false)
	if err != nil {
		return err
	}
	left, err := live.Unfinished(l)
	if err != nil {
		return err
	}
	for _, run := range runs {
		if !slices.Contains(left, run) {
			return console.Usagef("there is no recording of a run %s; there are recordings of: %s", run, cmp.Or(strings.Join(left, ", "), "none"))
		}
	}
	if len(runs) == 0 {
		runs = left
	}
	if len(runs) == 0 {
		f.Logger(f.stderr).Info("there is no recording")
	}
	for _, run := range runs {
		if err := f.sealOne(ctx, l, run); err != nil {
			return err
		}
	}
	return nil
}

// sealOne seals one recording, as the flags say that it was begun with.
func (f *flags) sealOne(ctx context.Context, l *lake.Lake, run string) error {
	release, err := f.leaseNow(ctx, l, run)
	if err != nil {
		return err
	}
	defer release()
	b, err := readBegun(l, run)
	if err != nil {
		return err
	}
	own := &flags{Globals: f.Globals, stdin: f.stdin, stdout: f.stdout, stderr: f.stderr, told: f.told, sealing: f.sealing, whole: f.whole}
	if err := own.command().ParseFlags(append(b.Flags, "--run", run)); err != nil {
		return fmt.Errorf("run %s: the flags of its recording: %w", run, err)
	}
	own.Globals = f.Globals
	labels, err := own.check()
	if err != nil {
		return err
	}
	options, err := own.options()
	if err != nil {
		return err
	}
	named, err := mapping.Read(own.mapped)
	if err != nil {
		return err
	}
	j := &ingest.Job{Run: run, Place: b.Place}
	own.complete(j, l, labels, options, named)
	if len(b.Parts) > 0 {
		parts, err := own.openParts(l, run, b.Parts)
		if err != nil {
			return err
		}
		return own.sealParts(ctx, l, j, b.Parts, parts)
	}
	r, err := own.openRecording(l, run, b)
	if err != nil {
		return err
	}
	defer r.Close()
	return own.seal(ctx, l, j, r)
}
