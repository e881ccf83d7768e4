package strictxml

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

// ours are the tokens of a document, or nil where it is refused.
func ours(text string) (tokens []string) {
	for r := New(text); ; {
		err := r.Next()
		if err == io.EOF {
			return tokens
		}
		if err != nil {
			return nil
		}
		switch r.Kind {
		case Start:
			tokens = append(tokens, fmt.Sprintf("<%s %q>", r.Name, r.Attributes))
		case End:
			tokens = append(tokens, "</"+r.Name)
		case Text:
			tokens = append(tokens, fmt.Sprintf("%q", r.Text))
		}
	}
}

// theirs are those of encoding/xml.
func theirs(text string) (tokens []string) {
	open := 0
	for d := xml.NewDecoder(strings.NewReader(text)); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return tokens
		}
		switch e := token.(type) {
		case xml.StartElement:
			attributes := make([]Attribute, 0)
			for _, a := range e.Attr {
				attributes = append(attributes, Attribute{a.Name.Local, a.Value})
			}
			tokens = append(tokens, fmt.Sprintf("<%s %q>", e.Name.Local, attributes))
			open++
		case xml.EndElement:
			tokens = append(tokens, "</"+e.Name.Local)
			open--
		case xml.CharData:
			if open > 0 {
				tokens = append(tokens, fmt.Sprintf("%q", e))
			}
		}
		if err != nil {
			return nil
		}
	}
}

var documents = []string{
	xml.Header + "<a>\n <b name=\"x &#34;&lt;&#xA;\" c=\"\">t&amp;&#x1F600; ü]&gt;]></b>\n<e/></a>\n",
	`<svg xmlns="http://www.w3.org/2000/svg" width="1.5"><text x="-3">a &quot;b' é</text><g class="c"><path d="M0 1L2 3"/></g></svg>`,
	"<a.b-c_1><a.b-c_1 x=\"]]>\"></a.b-c_1 ></a.b-c_1>",
}

// TestRefused refuses what is not well formed, and what is only here.
func TestRefused(t *testing.T) {
	for _, text := range documents {
		expect.Equal(t, len(ours(text)) > 0, true, "%s is taken", text)
	}
	for _, text := range []string{
		"", "a", "<a>", "</a>", "<a></b>", "<a/><b/>", "<a><b></a></b>", "<a x=1/>", "<a x='1'/>", "<a x=\"<\"/>", "<a x=\"1\" x=\"2\"/>", "<a x=\"1\"y=\"2\"/>", "<a>&nbsp;</a>",
		"<a>&#0;</a>", "<a>&#x110000;</a>", "<a>&#xD800;</a>", "<a>&#xFFFE;</a>", "<a>&amp</a>", "<a>]]></a>", "<a>\x01</a>", "<a>\xff</a>", "<a>\ufffe</a>", "<a>\r</a>", "<a x=\"\n\"/>",
		"<a>x</a>y", "<a", "<a x", "<a x=\"", "< a/>", "<a / >", "<1/>", "<a:b/>", "<!-- --><a/>", "<a><![CDATA[x]]></a>", "<?xml version=\"1.1\"?><a/>",
	} {
		expect.Slice(t, ours(text), nil, "tokens of %q", text)
	}
}

// TestMeansTheSame changes documents at random: what is taken, encoding/xml takes too and reads alike.
func TestMeansTheSame(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	pieces := []string{"<", ">", "/", "\"", "&", ";", "&#", "x", "]]>", "\n", "\t", "\r", " ", "=", "a", "\x00", "\xff", "é", "<a>", "</a>", "<b/>", "&lt;", "&#38;", "&#xD;", "<!--", "\ufffe", "'", " x=\"1\"", "-", ":"}
	taken := 0
	for range 200_000 {
		text := []byte(documents[rng.IntN(len(documents))])
		for range 1 + rng.IntN(3) {
			at, to := rng.IntN(len(text)+1), rng.IntN(len(text)+1)
			switch rng.IntN(3) {
			case 0:
				text = slices.Insert(text, at, []byte(pieces[rng.IntN(len(pieces))])...)
			case 1:
				text = slices.Delete(text, min(at, to), min(max(at, to), min(at, to)+3))
			case 2:
				text = slices.Insert(text, to, text[at:min(len(text), at+rng.IntN(20))]...)
			}
		}
		if got := ours(string(text)); got != nil {
			taken++
			expect.Slice(expect.Must(t), got, theirs(string(text)), "%q", text)
		}
	}
	if taken < 10_000 {
		t.Errorf("only %d documents were taken", taken)
	}
}
