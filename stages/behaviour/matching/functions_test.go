package matching

import (
	"slices"
	"testing"
)

// TestMovedFunctions compares the pairs of releases of a program, where functions moved to other units and were renamed. One
// that has two likely successors, and one whose name says nothing, stay alone.
func TestMovedFunctions(t *testing.T) {
	base := []Function{
		{"lib_dynbuf_c", "Curl_dyn_addn", 40, []string{"lib_http_c"}},
		{"lib_strcase_c", "curl_strequal", 400, []string{"src_main_c"}},
		{"lib_a_c", "init", 1, nil}, {"lib_old_c", "init", 1, nil},
		{"lib_x_c", "parse_one", 3, []string{"lib_y_c"}},
		{"lib_q_c", "twice", 1, nil},
		{"lib_f_c", "read_some", 1, []string{"lib_y_c"}},
	}
	cand := []Function{
		{"lib_strequal_c", "curl_strequal", 380, []string{"src_main_c"}},
		{"lib_curlx_dynbuf_c", "curlx_dyn_addn", 44, []string{"lib_http_c"}},
		{"lib_b_c", "init", 1, nil}, {"lib_older_c", "init", 1, nil},
		{"lib_x_c", "fold", 3, []string{"lib_y_c"}},
		{"lib_m_c", "twice", 1, nil}, {"lib_n_c", "twice", 1, nil},
		{"lib_f_c", "read_some2", 80, []string{"lib_y_c"}},
	}
	want := []FunctionMove{{0, 1}, {1, 0}, {2, 2}, {3, 3}}
	if got := MovedFunctions(base, cand); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	for i := range want {
		want[i] = FunctionMove{want[i].Cand, want[i].Base}
	}
	slices.SortFunc(want, func(a, b FunctionMove) int { return a.Base - b.Base })
	if got := MovedFunctions(cand, base); !slices.Equal(got, want) {
		t.Errorf("with the sides exchanged: got %v, want %v", got, want)
	}
}

// A file was compiled twice, under two names, and is compiled once now: both functions became one. What is called far too often or too
// seldom, lies elsewhere, or is called otherwise joins nothing.
func TestJoinedFunctions(t *testing.T) {
	base := []Function{
		{"lib_dynbuf_c", "Curl_dyn_addn", 201, nil}, {"lib_dynbuf_c", "curlx_dyn_addn", 10, nil},
		{"lib_dynbuf_c", "Curl_dyn_reset", 5, nil}, {"lib_dynbuf_c", "curlx_dyn_reset", 100, nil},
		{"lib_other_c", "Curl_dyn_setlen", 50, nil}, {"lib_dynbuf_c", "curlx_dyn_setlen", 50, nil},
		{"lib_dynbuf_c", "fold_lines", 60, nil},
	}
	cand := []Function{
		{"lib_curlx_dynbuf_c", "curlx_dyn_addn", 234, nil}, {"lib_curlx_dynbuf_c", "curlx_dyn_reset", 99, nil}, {"lib_curlx_dynbuf_c", "curlx_dyn_setlen", 100, nil},
	}
	moves := MovedFunctions(base, cand)
	if want := []FunctionMove{{1, 0}, {3, 1}, {5, 2}}; !slices.Equal(moves, want) {
		t.Fatalf("moved: got %v, want %v", moves, want)
	}
	if got, want := JoinedFunctions(base, cand, moves), []FunctionMove{{0, 0}}; !slices.Equal(got, want) {
		t.Errorf("joined: got %v, want %v", got, want)
	}
}
