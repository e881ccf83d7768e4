package symbols

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

func lookup(s schema.Symbols, address uint64) string {
	name, unit, ok := s.Lookup(address)
	if !ok {
		return "-"
	}
	return name + " " + unit
}

func TestTable(t *testing.T) {
	const text = "addr\tfunction\tunit\tline\r\n0x20\tg\tlib/b.c\t7\n10\tf\t??\t?\n0x20\th\tlib/c.c\n\n0x30\tk\t?"
	table := expect.Value(FromTable(strings.NewReader(text), "t"))(t)
	for address, want := range map[uint64]string{
		0: "-", 0xf: "-", 0x10: "f ", 0x1f: "f ", 0x20: "h lib/c.c", 0x2f: "h lib/c.c",
		0x30: "k ", 0x1002f: "k ", 0x10030: "-", ^uint64(0): "-",
	} {
		expect.Equal(t, lookup(table, address), want, "%#x", address)
	}
	expect.Equal(t, table.Len(), 3, "functions")
}

func TestTableEnd(t *testing.T) {
	table, err := FromTable(strings.NewReader("fffffffffffffff0\tlast\n"), "t")
	if err != nil || lookup(table, ^uint64(0)-1) != "last " {
		t.Error(err, lookup(table, ^uint64(0)-1))
	}
}

// TestPosition points at the place of each error with a cross.
func TestPosition(t *testing.T) {
	for _, c := range []struct {
		text string
		want error
	}{
		{"0x1\tf\n✗zz\tf\n", errAddress},
		{"✗addr\n", errAddress},
		{"0x1\t✗\tunit\n", errName},
		{"0x1✗\n", errName},
		{"✗0x1\t\xff\n", errText},
		{"✗" + strings.Repeat("1", maxLine+1), errLength},
	} {
		line := int64(strings.Count(c.text[:strings.Index(c.text, "✗")], "\n") + 1)
		before := c.text[:strings.Index(c.text, "✗")]
		col := int64(len(before) - strings.LastIndex(before, "\n"))
		_, err := FromTable(strings.NewReader(strings.Replace(c.text, "✗", "", 1)), "t")
		var at *schema.SyntaxError
		if !errors.As(err, &at) || !errors.Is(err, c.want) || at.Line != line {
			t.Errorf("%.20q: %v", c.text, err)
		} else if at.Col != col && c.want != errName { // a missing name begins behind the blank that is missing too
			t.Errorf("%.20q: column %d, want %d", c.text, at.Col, col)
		}
	}
}

// TestOracle looks addresses up in random tables by trying every function.
func TestOracle(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		functions := make([]function, 1+rng.IntN(12))
		for i := range functions {
			start := rng.Uint64N(60)
			functions[i] = function{start: start, end: start + rng.Uint64N(3)*rng.Uint64N(9), name: fmt.Sprint(i), rank: i}
		}
		table := newTable(append([]function(nil), functions...))
		for address := range uint64(80) {
			want, best := "-", -1
			for i, f := range functions {
				if f.start <= address && (best < 0 || f.start > functions[best].start) {
					best = i
				}
			}
			if best >= 0 {
				f := functions[best]
				if end := f.end; end == f.start || address < end {
					want = f.name + " "
				}
			}
			if got := lookup(table, address); got != want {
				t.Fatalf("%+v: %d: %q, want %q", functions, address, got, want)
			}
		}
	}
}

func TestComponent(t *testing.T) {
	for unit, want := range map[string]string{
		"lib/asyn-thread.c": "lib_asyn_thread_c", "": "ext", "src/é.c": "src___c", "AZ09az/@`[{:": "AZ09az______",
		"/usr/include/openssl/err.h": "_usr_include_openssl_err_h",
	} {
		expect.Equal(t, Component(unit), want, "%q", unit)
	}
}

// TestRecorded reads the tables of the curl recordings.
func TestRecorded(t *testing.T) {
	root := os.Getenv("TRACELAKE_RECORDINGS")
	if root == "" {
		t.Skip("TRACELAKE_RECORDINGS names no folder of recordings: the tables of symbols of curl were not read")
	}
	data := expect.Value(os.ReadFile(filepath.Join(root, "curl-quiet/8.14.1/symbols.tsv")))(t)
	table := expect.Value(FromTable(strings.NewReader(string(data)), "symbols.tsv"))(t)
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")[1:]
	expect.Equal(t, table.Len(), len(lines), "functions")
	for _, line := range lines {
		fields := strings.Split(line, "\t")
		address, _ := strconv.ParseUint(fields[0], 0, 64)
		expect.Equal(t, lookup(table, address), fields[1]+" "+fields[2], "%s", line)
	}
}

// sources is a program with functions in two folders, a header, of one name, hidden and weak.
var sources = map[string]string{
	"lib/a.c":    "#include \"in.h\"\nstatic int twice(int x) { return x; }\nint a(int x) { return inlined(x) + twice(x); }\n__attribute__((weak)) int weak(int x) { return x; }\nint A(int x) __attribute__((weak, alias(\"a\")));\n",
	"lib/in.h":   "static __attribute__((noinline)) int inlined(int x) { __asm__(\"\"); return x + 1; }\n",
	"src/main.c": "int a(int), weak(int);\nstatic int twice(int x) { return 2 * x; }\nint __alias(int x) { return twice(x) + weak(x); }\nint alias(int) __attribute__((alias(\"__alias\")));\nint main(void) { return a(1) + alias(2); }\n",
}

// compile makes the program and returns its path.
func compile(t *testing.T, flags ...string) string {
	t.Helper()
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("gcc is not installed: no ELF file was made and read")
	}
	dir := t.TempDir()
	for _, folder := range []string{"lib", "src"} {
		expect.OK(t, os.Mkdir(filepath.Join(dir, folder), 0o777))
	}
	run := func(folder string, args ...string) {
		c := exec.Command(gcc, args...)
		c.Dir = filepath.Join(dir, folder)
		if out, err := c.CombinedOutput(); err != nil {
			t.Skipf("gcc %v: %v: %s", args, err, out)
		}
	}
	for name, text := range sources {
		expect.OK(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	run("lib", append([]string{"-c", "-o", "../a.o", "a.c"}, flags...)...)
	run("src", append([]string{"-c", "-o", "../main.o", "main.c"}, flags...)...)
	run("", append([]string{"-o", "prog", "a.o", "main.o"}, flags...)...)
	return filepath.Join(dir, "prog")
}

func fromELF(t *testing.T, path string) *Table {
	t.Helper()
	file := expect.Value(os.Open(path))(t)
	defer file.Close()
	table := expect.Value(FromELF(file))(t)
	return table
}

func TestELF(t *testing.T) {
	want := map[string]string{"a": "lib/a.c", "weak": "lib/a.c", "inlined": "lib/in.h", "alias": "src/main.c",
		"main": "src/main.c", "twice": "lib/a.c src/main.c"}
	for _, flags := range []string{"-g -O1 -fno-inline", "-g -gdwarf-4 -O1 -fno-inline", "-g -O1 -fno-inline -flto", "-g -no-pie -O0 -gz -falign-functions=64"} {
		table := fromELF(t, compile(t, strings.Fields(flags)...))
		got := units(table)
		for i, f := range table.functions[:table.Len()-1] {
			if next := table.functions[i+1]; strings.HasSuffix(flags, "=64") && f.name == "weak" && (f.end == next.start || lookup(table, f.end) != "-") {
				t.Errorf("%s reaches to %s", f.name, next.name)
			}
		}
		for name, unit := range want {
			if name == "twice" && strings.HasSuffix(flags, "-flto") {
				continue // the linker calls one of them twice.lto_priv.0
			}
			expect.Equal(t, got[name], unit, "%s: %s is", flags, name)
		}
	}
}

// TestELFWithout reads a program without debug data: files are known of its hidden functions only.
func TestELFWithout(t *testing.T) {
	got := units(fromELF(t, compile(t, "-O0")))
	for name, unit := range map[string]string{"a": "", "main": "", "inlined": "a.c", "twice": "a.c main.c"} {
		expect.Equal(t, got[name], unit, "%s is", name)
	}
}

// units says in which units, in the order of addresses, each name is, having looked it up at its first and last byte.
func units(table *Table) map[string]string {
	of := make(map[string]string)
	for _, f := range table.functions {
		first, last := lookup(table, f.start), lookup(table, f.end-1)
		if first != last || first != f.name+" "+f.unit {
			return map[string]string{first: last}
		}
		if of[f.name] != "" {
			of[f.name] += " "
		}
		of[f.name] += f.unit
	}
	return of
}

func TestStripped(t *testing.T) {
	path := compile(t, "-O0", "-s")
	file := expect.Value(os.Open(path))(t)
	defer file.Close()
	_, err := FromELF(file)
	expect.Refused(t, err, "stripped", "a stripped file")
	if _, err := FromELF(strings.NewReader("\x7fELF")); err == nil {
		t.Error("half a header was taken")
	}
}

// TestAddr2line compares with the reference program, but for functions of headers: of the first address of one
// whose first lines have no code it names the file that the lines before are of.
func TestAddr2line(t *testing.T) {
	tool, err := exec.LookPath("addr2line")
	if err != nil {
		t.Skip("addr2line is not installed: units were not compared with it")
	}
	path := compile(t, "-g", "-O1", "-fno-inline")
	for _, f := range fromELF(t, path).functions {
		if !strings.Contains(f.unit, "/") || strings.HasSuffix(f.unit, ".h") {
			continue
		}
		out := expect.Value(exec.Command(tool, "-e", path, fmt.Sprintf("%#x", f.start)).Output())(t)
		if file, _, _ := strings.Cut(string(out), ":"); !strings.HasSuffix(file, "/"+f.unit) {
			t.Errorf("%s: %q, but addr2line says %q", f.name, f.unit, file)
		}
	}
}

func FuzzTable(f *testing.F) {
	f.Add([]byte("0x20\tg\tlib/b.c\t7\n10\tf\t??\t?\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		table, err := FromTable(strings.NewReader(string(data)), "t")
		if (table == nil) == (err == nil) {
			t.Fatal("exactly one of table and error")
		}
		if table != nil {
			table.Lookup(16)
		}
	})
}

func FuzzELF(f *testing.F) {
	if data, err := os.ReadFile("testdata/small.elf"); err == nil {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		table, err := FromELF(strings.NewReader(string(data)))
		if (table == nil) == (err == nil) {
			t.Fatal("exactly one of table and error")
		}
	})
}

func BenchmarkLookup(b *testing.B) {
	functions := make([]function, 20000)
	for i := range functions {
		functions[i] = function{start: uint64(i) * 64, name: "f"}
	}
	table := newTable(functions)
	for i := 0; b.Loop(); i++ {
		table.Lookup(uint64(i*7919) % (20000 * 64))
	}
}
