package console

import (
	"io"
	"time"

	"github.com/schollz/progressbar/v3"

	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// Progress shows a meter on a terminal until done is called: what is done, its rate, the time left.
// Where standard error is no terminal, or the user wants quiet or JSON, it shows nothing.
func (g *Globals) Progress(stderr io.Writer, what string, bytes bool) (m *pipeline.Meter, done func()) {
	m = new(pipeline.Meter) // counts in any case, so that callers need not ask
	if g.Quiet || g.LogFormat == "json" || !isTerminal(stderr) {
		return m, func() {}
	}
	// The bar is drawn with control sequences of its own; what stands beside it is not.
	if p, is := stderr.(*Plain); is {
		stderr = p.out
	}
	bar := progressbar.NewOptions64(1, // an unknown total would have the bar draw by itself, after its end too
		progressbar.OptionSetWriter(stderr), progressbar.OptionSetDescription(texttab.Printable(what)), progressbar.OptionShowCount(),
		progressbar.OptionShowBytes(bytes), progressbar.OptionSetItsString("rows"), progressbar.OptionSetPredictTime(true),
		progressbar.OptionFullWidth(), progressbar.OptionClearOnFinish(), showIts(!bytes))
	// The meter is read ten times a second by a goroutine of its own. Work only adds to a counter and never waits
	// for a terminal.
	bar.StartWithoutRender()
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		tick := time.NewTicker(100 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				n, of := m.Read()
				bar.ChangeMax64(max(of, n+1)) // work that is found on the way makes the total grow
				bar.Set64(n)
			case <-stop:
				bar.Clear()
				return
			}
		}
	}()
	// Callers print only after the bar is gone, or it would be drawn into their lines.
	return m, func() {
		close(stop)
		<-stopped
	}
}

// showIts shows a rate in rows.
func showIts(show bool) progressbar.Option {
	if show {
		return progressbar.OptionShowIts()
	}
	return func(*progressbar.ProgressBar) {}
}
