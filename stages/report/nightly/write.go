package nightly

import (
	"fmt"
	"html/template"
	"io"
	"strings"
)

// Page is a night as its summary shows it.
type Page struct {
	*Night
	Earlier []string // sentences on other nights, of the newest night only
}

// WriteMarkdown writes the summary of a night.
func (p *Page) WriteMarkdown(out io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# Night %s: %s\n\n%s.\n", p.Name, strings.ToUpper(string(p.Verdict())), p.Headline())
	for i := range p.Steps {
		s := &p.Steps[i]
		fmt.Fprintf(&b, "\n## %s %s: %s\n\n%s\n", s.Kind, s.Name, s.Verdict, fenced(s.Says))
		if s.Changed() {
			fmt.Fprintf(&b, "\nWhen the night was summarised first, it was: %s.\n", s.First)
		}
		if len(s.Files) > 0 {
			b.WriteString("\nReports:")
			for _, file := range s.Files {
				fmt.Fprintf(&b, " [%s](%s)", file, file)
			}
			b.WriteString("\n")
		}
		if len(s.Command) > 0 {
			fmt.Fprintf(&b, "\nAgain: `%s`\n", strings.Join(s.Command, " "))
		}
	}
	if troubled := p.Troubled(); len(troubled) > 0 {
		b.WriteString("\n## Traces that are not in the lake, late, or not analyzed\n\n")
		for _, line := range troubled {
			fmt.Fprintf(&b, "- %s\n", line)
		}
	}
	if len(p.Earlier) > 0 {
		b.WriteString("\n## Earlier nights\n\n")
		for _, line := range p.Earlier {
			fmt.Fprintf(&b, "- %s\n", line)
		}
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// fenced keeps the lines of an answer as they are.
func fenced(says string) string {
	if says == "" {
		return ""
	}
	return "```\n" + strings.TrimRight(says, "\n") + "\n```"
}

// Troubled lists the traces of a night of which there is something to say.
func (n *Night) Troubled() (lines []string) {
	for _, t := range n.Traces {
		switch {
		case t.State != Ingested:
			lines = append(lines, fmt.Sprintf("%s: %s: %s", t.Path, words[t.State], t.Says))
		case t.LateIn != "":
			lines = append(lines, fmt.Sprintf("%s: came late, with night %s", t.Path, t.LateIn))
		}
	}
	return lines
}

// style is that of both pages.
const style = `<style>body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:72rem;padding:0 1rem;color:#1a1a1a;background:#fff}
pre{background:#f4f4f4;padding:.7rem;overflow-x:auto}td,th{text-align:left;padding:.2rem 1rem .2rem 0;vertical-align:top}
.passed{color:#116329}.stopped{color:#a40e26}.failed{color:#8a4600}.waits{color:#555}
@media(prefers-color-scheme:dark){body{color:#ddd;background:#16181b}pre{background:#24272b}a{color:#79b8ff}.passed{color:#56d364}.stopped{color:#ff7b72}.failed{color:#f0a35e}.waits{color:#aaa}}</style>`

// nightPage and indexPage are the pages in HTML, which load nothing.
var (
	nightPage = template.Must(template.New("night").Parse(`<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Night {{.Name}} · Tracelake</title>` + style + `</head><body>
<p><a href="../index.html">All nights</a></p>
<h1>Night {{.Name}}: <span class="{{.Verdict}}">{{.Verdict}}</span></h1>
<p>{{.Headline}}.</p>
{{range .Steps}}<h2>{{.Kind}} {{.Name}}: <span class="{{.Verdict}}">{{.Verdict}}</span></h2>
{{with .Says}}<pre>{{.}}</pre>
{{end}}{{if .Changed}}<p>When the night was summarised first, it was: {{.First}}.</p>
{{end}}{{if .Files}}<p>Reports:{{range .Files}} <a href="{{.}}">{{.}}</a>{{end}}</p>
{{end}}{{if .Command}}<p>Again: <code>{{range .Command}}{{.}} {{end}}</code></p>
{{end}}{{end}}{{with .Troubled}}<h2>Traces that are not in the lake, late, or not analyzed</h2>
<ul>{{range .}}<li>{{.}}</li>
{{end}}</ul>
{{end}}{{with .Earlier}}<h2>Earlier nights</h2>
<ul>{{range .}}<li>{{.}}</li>
{{end}}</ul>
{{end}}</body></html>
`))
	indexPage = template.Must(template.New("index").Parse(`<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Nights · Tracelake</title>` + style + `</head><body>
<h1>Nights</h1>
<table><tr><th>night</th><th>verdict</th><th>what came of it</th></tr>
{{range .}}<tr><td><a href="{{.Name}}/index.html">{{.Name}}</a></td><td class="{{.Verdict}}">{{.Verdict}}</td><td>{{.Headline}}{{if .Reduced}}; only summaries of its runs are left{{end}}</td></tr>
{{end}}</table>
</body></html>
`))
)

// WriteHTML writes the summary of a night as a page.
func (p *Page) WriteHTML(out io.Writer) error { return nightPage.Execute(out, p) }

// WriteIndex writes the page that lists nights, in the order given.
func WriteIndex(out io.Writer, nights []*Night) error { return indexPage.Execute(out, nights) }
