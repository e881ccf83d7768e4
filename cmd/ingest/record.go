package main

import (
	_ "embed" // of the recorder
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/stages/chart/componentmodel"
)

//go:embed recorder/tracelake_recorder.c
var recorder string // its source, in C

//go:embed record.txt
var recordHelp string // the manual of recording

// modelHelp is the page of the help that explains the files of --model.
const modelHelp = `A component model (Tavares de Sousa 2016, Listing 6.1) says which component a function belongs to: for every
component its interfaces, and, for the reader, which of them are connected.

  FileHandler {
      in  fileHost.FileHandler.open(fileHost.data.File)
      out fileHost.FileHandler.send(..)
  }
  url { in Curl_connect(..) }
  fileHost.FileHandler.send -> url.Curl_connect

ingest --model FILE gives the functions it names to their components, in traces of any format; other functions keep
the component that the trace says.`

// recordCommand tells how traces are recorded.
// Without a subcommand it prints its help, which is the manual of recording.
func (f *flags) recordCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "record", Short: "How to record traces, with what is needed for it",
		Long: recordHelp,
		Example: `  ingest record c -o tracelake_recorder.c
  ingest record aspectj shop.arch -o META-INF/aop.xml`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(f.recorderCommand(), f.aspectjCommand())
	return c
}

// recorderCommand writes the recorder for programs in C and C++.
// The source is part of the program, so that recorder and reader always belong together.
func (f *flags) recorderCommand() *cobra.Command {
	var output string
	var plants []string
	c := &cobra.Command{
		Use: "c [-o FILE.c]", Short: "Write the recorder for programs built with -finstrument-functions",
		Long: `Writes the C source of the recorder for programs built with -finstrument-functions; what to do with it is in
ingest record --help.

With --plant the recorder makes functions of the recorded program slower, so that you see whether your comparisons would find such a
change before anybody makes it. FUNCTION=20% has each call compute that share of the processor time longer that it takes
itself, without the calls that it makes; FUNCTION=500us has each call sleep so long. The function is named as the linker names it (nm PROGRAM), and must be one of the program
itself. Record the baseline with the same functions and 0%, since the calls of all functions cost a little more than with
the plain recorder, and record both sides in turn.`,
		Example: `  ingest record c -o tracelake_recorder.c && gcc -O2 -shared -fPIC -o tracelake_recorder.so tracelake_recorder.c
  ingest record c --plant parse=20% -o slower.c && gcc -O2 -shared -fPIC -o slower.so slower.c`,
		Args: cobra.NoArgs,
		// The source is checked and made before a file is opened.
		RunE: func(*cobra.Command, []string) error {
			source, err := recorderWith(plants)
			if err != nil {
				return err
			}
			return console.WriteFile(output, f.stdout, func(w io.Writer) error {
				_, err := io.WriteString(w, source)
				return err
			})
		},
	}
	c.Flags().StringVarP(&output, "output", "o", "-", "the file to write; - is the standard output")
	c.Flags().StringArrayVar(&plants, "plant", nil, "make a function slower: FUNCTION=20% of its own time, or FUNCTION=500us of sleep; may be given often")
	return c
}

// aspectjCommand writes the configuration of AspectJ for the components of a model.
// Only interfaces of components are measured, which keeps the overhead of the probes low.
// The model is read before anything is written, so that a mistake in it leaves no file.
func (f *flags) aspectjCommand() *cobra.Command {
	var output, probe string
	c := &cobra.Command{
		Use: "aspectj MODEL [-o aop.xml]", Short: "Write the aop.xml that has Kieker record the interfaces of a component model",
		Long: `Writes the aop.xml with which AspectJ weaves Kieker's probes into the interfaces of a component model
(Tavares de Sousa 2016, section 6.2 and Listing 7.2). The model file is described in ingest help models.

The probe is the one for executions of operations that Kieker comes with; --probe component names the pair of probes of
that thesis, whose classes must then be on the class path.`,
		Example: "  ingest record aspectj shop.arch -o META-INF/aop.xml",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 { // cobra's own words would not say what is missing
				return console.Usagef("name one component model; see ingest record aspectj --help")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			// What the words stand for; there is no default beyond that of the flag.
			kind, known := map[string]componentmodel.Probe{"kieker": componentmodel.KiekerProbe, "component": componentmodel.ComponentProbe}[probe]
			if !known {
				return console.Usagef("--probe %q: one of kieker, component", probe)
			}
			in, err := os.Open(args[0])
			if err != nil {
				return err
			}
			defer in.Close()
			m, err := componentmodel.Read(in, args[0]) // the path is for errors
			if err != nil {
				return err
			}
			return console.WriteFile(output, f.stdout, func(w io.Writer) error { return m.AspectJ(w, kind) })
		},
	}
	c.Flags().StringVarP(&output, "output", "o", "-", "the file to write; - is the standard output")
	c.Flags().StringVar(&probe, "probe", "kieker", "what measures the interfaces: kieker or component")
	return c
}
