package sql

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

// lakeOf is a lake of one run that starts at 1 s, with executions "number, component, from ms, to ms, parent, role".
func lakeOf(t *testing.T, executions []string) Catalog {
	t.Helper()
	statements := []string{"INSERT INTO runs (run, start_ns) VALUES ('a', 1000000000)"}
	for _, e := range executions {
		statements = append(statements, fmt.Sprintf("INSERT INTO executions (run, bucket, execution, component, start_ns, finish_ns, parent, role) "+
			"SELECT 'a', 0, e, c, (1000 + f)::BIGINT * 1000000, (1000 + t)::BIGINT * 1000000, p, r FROM (VALUES (%s)) v(e, c, f, t, p, r)", e))
	}
	return writeLake(t, "", statements...)
}

// TestComponentTimes has the tables of Tavares de Sousa 2016, section 7.1.1, in ms.
func TestComponentTimes(t *testing.T) {
	nested := []string{"0, 'FileHandler', 100, 1912, NULL, NULL", "1, 'FileEncrypter', 606, 1912, 0, NULL", "2, 'FSWriter', 1607, 1912, 1, NULL"}
	parallel := []string{"0, 'FileHandler', 2937, 3444, NULL, NULL", "1, 'FileEncrypter', 3444, 4449, NULL, NULL", "2, 'FSWriter', 4449, 4752, NULL, NULL"}
	// A calls itself, B, which calls A again, waits for C by message, and calls C by message.
	functions := []string{"0, 'A', 0, 100, NULL, NULL", "1, 'A', 10, 90, 0, NULL", "2, 'B', 20, 50, 1, NULL", "3, 'A', 30, 40, 2, NULL",
		"4, 'A', 60, 70, 1, 'wait'", "5, 'A', 80, 85, 1, 'blocking_call'"}
	for _, c := range []struct {
		name       string
		executions []string
		from, to   string // ms
		want       string // component, executions, raw and real time
	}{
		{"table 7.2", nested, "", "", "FSWriter 1 305 305; FileEncrypter 1 1306 1001; FileHandler 1 1812 506"},
		{"table 7.3", parallel, "", "", "FSWriter 1 303 303; FileEncrypter 1 1005 1005; FileHandler 1 507 507"},
		{"table 7.4, row 1", parallel[1:2], "1900", "3400", ""},
		{"table 7.4, row 2", parallel[1:2], "3000", "4500", "FileEncrypter 1 1005 1005"},
		{"table 7.4, row 3", parallel[1:2], "2500", "4000", "FileEncrypter 1 556 556"},
		{"table 7.4, row 4", parallel[1:2], "4000", "5500", "FileEncrypter 1 449 449"},
		{"figure 6.7: the window cuts caller and callee", nested, "500", "700", "FileEncrypter 1 94 94; FileHandler 1 200 106"},
		{"functions and messages", functions, "", "", "A 2 110 65; B 1 30 20"},
	} {
		db := openLake(t, lakeOf(t, c.executions), Options{})
		params := map[string]string{}
		for name, ms := range map[string]string{"from": c.from, "to": c.to} {
			if ms != "" {
				params[name] = ms + "000000"
			}
		}
		var out strings.Builder
		expect.OK(t, db.Named(t.Context(), &out, "component-times", params, CSV))
		var got []string
		for _, line := range strings.Split(strings.TrimSpace(out.String()), "\n")[1:] {
			f := strings.Split(line, ",")
			got = append(got, strings.Join([]string{f[0], f[1], strings.TrimSuffix(f[2], "000000"), strings.TrimSuffix(f[6], "000000")}, " "))
		}
		slices.Sort(got)
		expect.Equal(t, strings.Join(got, "; "), c.want, "%s", c.name)
	}
}
