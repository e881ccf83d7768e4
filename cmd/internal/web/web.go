// Package web holds the pages of reports, and writes them as one file that needs no server and no network.
//
//	src/          the pages in TypeScript, with Preact; every statistical picture is drawn by Observable Plot
//	third_party/  Preact, Plot and what these need, file by file as their authors publish them, with their licences
//	assets/       what esbuild makes of both: one script and one style for each kind of page, which is what programs embed
//
// Neither Node nor a browser is needed to build or to test: a test bundles the sources again with esbuild's Go package and
// compares the bytes; with -update it writes them. src/README.md says how the pages are made, and how to add one.
package web

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"unicode"
	"unicode/utf8"
)

//go:embed assets
var assets embed.FS

// Resource is a piece of data that a page asks for by its name, such as "changes".
type Resource struct {
	Name string          // letters, digits, - and / only
	JSON json.RawMessage // valid JSON
}

// Page returns a document in HTML that has a script, a style and its data within it. The same arguments give the same bytes.
//
// Its policy lets run only this script and this style, known by their hashes, and nothing be loaded from anywhere. Data stand in
// elements that no browser runs, and with every < escaped, so that no name of a trace can end its element.
func Page(kind, title string, data []Resource) ([]byte, error) {
	script, err := assets.ReadFile("assets/" + kind + ".js")
	if err != nil {
		return nil, err
	}
	style, err := assets.ReadFile("assets/" + kind + ".css")
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	fmt.Fprintf(&out, `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src %s; style-src %s; img-src data:; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>%s</title>
<style>%s</style>
</head>
<body>
<div id="page"></div>
<noscript>This report needs JavaScript. analyze compare prints the same findings as text.</noscript>
`, hashOf(script), hashOf(style), html.EscapeString(title), style)
	for _, r := range data {
		if !json.Valid(r.JSON) {
			return nil, fmt.Errorf("data of the page: %s is not valid JSON", r.Name)
		}
		fmt.Fprintf(&out, "<script type=\"application/json\" data-resource=\"%s\">", html.EscapeString(r.Name))
		out.Write(escaped(r.JSON))
		out.WriteString("</script>\n")
	}
	fmt.Fprintf(&out, "<script>%s</script>\n</body>\n</html>\n", script)
	return out.Bytes(), nil
}

// Overhead is how many bytes Page adds to the JSON of a resource, beside its name.
const Overhead = len(`<script type="application/json" data-resource=""></script>`) + 1

// escaped writes as JSON can what should not stand in the file as it is: every <, since a browser looks for the end of the element, or for
// a comment in it, before it reads JSON; and what nobody sees in an editor, such as marks that turn the direction of writing. All of these
// stand in strings only.
func escaped(data []byte) []byte {
	out := make([]byte, 0, len(data)+len(data)/64)
	for len(data) > 0 {
		r, size := utf8.DecodeRune(data)
		switch {
		case r == '<', r == 0x7f, unicode.Is(unicode.Cc, r) && r > 0x7f, r == 0x61c, r == 0x200e, r == 0x200f, r >= 0x2028 && r <= 0x202e, r >= 0x2066 && r <= 0x2069:
			out = fmt.Appendf(out, `\u%04x`, r)
		default:
			out = append(out, data[:size]...)
		}
		data = data[size:]
	}
	return out
}

// hashOf names a script or a style in a policy.
func hashOf(text []byte) string {
	sum := sha256.Sum256(text)
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}
