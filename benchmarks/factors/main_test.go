package main

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

// The picture in the documentation is the one that the program draws.
func TestPicture(t *testing.T) {
	in := expect.Value(os.Open("../../stages/change/functionchanges/testdata/compressor.csv"))(t)
	defer in.Close()
	var out bytes.Buffer
	expect.OK(t, draw(&out, in))
	if committed := expect.Value(os.ReadFile("../../stages/change/factors.svg"))(t); !bytes.Equal(out.Bytes(), committed) {
		t.Error("draw stages/change/factors.svg again; the comment of main.go has the command")
	}
}

func TestRefused(t *testing.T) {
	for _, in := range []string{"", "run,function,calls,sum\n", "run,function,calls,sum\na,f,x,1\n", "run,function,calls,sum\na,f,1,1\n"} {
		if err := draw(new(bytes.Buffer), strings.NewReader(in)); err == nil {
			t.Errorf("%q is drawn", in)
		}
	}
}
