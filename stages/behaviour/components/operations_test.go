package components_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/components"
	"github.com/tracelake/tracelake/stages/behaviour/language"
	"github.com/tracelake/tracelake/testdata/expect"
)

// operations are those that MIDS applied to its cases, by the folder and, where they differ, the case.
var operations = map[string]string{
	"AddAsyncPatternConstraintsTest":                 "AddAsynchronousPatternConstraints",
	"ExcludeInternalTransitionsTest":                 "ExcludeInternalTransitions",
	"FilterClientServerInteractionsTest":             "FilterClientServerInteractions(INCL01, INCL02)",
	"HideActionsTest":                                "HideActions(.*_hide_this.*)",
	"InjectDomainKnowledgeTest/UNION":                "InjectDomainKnowledge(union,UNION)",
	"InjectDomainKnowledgeTest/INTERSECTION":         "InjectDomainKnowledge(intersection,INTERSECTION)",
	"InjectDomainKnowledgeTest/DIFFERENCE_LEFT":      "InjectDomainKnowledge(difference-left,DIFFERENCE_LEFT)",
	"InjectDomainKnowledgeTest/DIFFERENCE_RIGHT":     "InjectDomainKnowledge(difference-right,DIFFERENCE_RIGHT)",
	"InjectDomainKnowledgeTest/EXCLUSIVE_OR":         "InjectDomainKnowledge(exclusive-or,EXCLUSIVE_OR)",
	"InjectDomainKnowledgeTest/PARALLEL_COMPOSITION": "InjectDomainKnowledge(parallel-composition,PARALLEL_COMPOSITION)",
	"MergeComponentsTest":                            `MergeComponents((?<name>\w+TE)\d+)`,
	"MergeInterfaceClientsServersTest":               "MergeInterfaceClientsServers(,true,true)",
	"ModifyRepetitionsTest/AddData":                  "ModifyRepetitions(data,0,0,false,0)",
	"ModifyRepetitionsTest/LowerThreshold":           "ModifyRepetitions(plain,5,0,true,0)",
	"ModifyRepetitionsTest/MakeInfinite":             "ModifyRepetitions(plain,0,0,true,0)",
	"ModifyRepetitionsTest/MarkedUnmarked":           "ModifyRepetitions(plain,0,0,false,1)",
	"ModifyRepetitionsTest/MaxRepeatsIsOne":          "ModifyRepetitions(plain,0,0,false,1)",
	"ModifyRepetitionsTest/NestedLoops":              "ModifyRepetitions(data,0,0,false,0)",
	"ModifyRepetitionsTest/SplitJoins":               "ModifyRepetitions(plain,0,0,true,0)",
	"ModifyRepetitionsTest/UpperThreshold":           "ModifyRepetitions(plain,0,3,true,0)",
	"PrefixCloseTest":                                "PrefixClose",
	"RenameComponentTest":                            "RenameComponent(ComponentA,ComponentB)",
	"RenameFunctionsTest/MultipleComponents":         "RenameFunctions(Interface:FunctionCall->Interface:OtherCall)",
	"RenameFunctionsTest/MultipleRenames":            "RenameFunctions(pc1:abc->int1:def,pc2:abc->int2:ghi,pc3:abc->int3:jkl)",
	"RenameFunctionsTest/PartialMatch":               "RenameFunctions(pc1:ab->int1:de)",
	"RenameFunctionsTest/PlainBoth":                  "RenameFunctions(pc2:abc->int2:def)",
	"RenameFunctionsTest/PlainFunction":              "RenameFunctions(pc2:abc->pc2:def)",
	"RenameFunctionsTest/PlainInterface":             "RenameFunctions(pc2:abc->int2:abc)",
	"RenameFunctionsTest/PlainMerge":                 "RenameFunctions(pc1:abc->pc2:abc)",
}

// apply applies an operation, as it is written, with the recorded knowledge.
func apply(t *testing.T, s *components.Set, text string) (*components.Set, error) {
	t.Helper()
	op, err := components.ParseOperation(text)
	if err != nil {
		return nil, err
	}
	return op.Apply(s, func(path string) (*schema.Dictionary, *components.Model, error) {
		alphabet := new(schema.Dictionary)
		known := readFolder(t, alphabet, filepath.Join(recorded, "operations", "InjectDomainKnowledgeTest", path, "injection"))
		return alphabet, known[0], nil
	})
}

// TestRecordedOperations does to models what MIDS did, and leaves the models given as they were.
func TestRecordedOperations(t *testing.T) {
	cases := 0
	for _, folder := range folders(t, filepath.Join(recorded, "operations")) {
		for _, name := range folders(t, filepath.Join(recorded, "operations", folder)) {
			op, known := operations[folder+"/"+name]
			if !known {
				op = operations[folder]
			}
			cases++
			t.Run(folder+"/"+name, func(t *testing.T) {
				at := filepath.Join(recorded, "operations", folder, name)
				given := given(t, at)
				before := renderAll(given)
				got := expect.Value(apply(t, given, op))(t)
				expect.Equal(t, renderAll(given), before, "models given")
				same(t, got, readFolder(t, got.Alphabet, filepath.Join(at, "output_expected")))
			})
		}
	}
	expect.Equal(t, cases, 57, "cases")
}

// given are the models that a recorded case starts from.
func given(t *testing.T, folder string) *components.Set {
	t.Helper()
	s := &components.Set{Alphabet: new(schema.Dictionary)}
	s.Models = readFolder(t, s.Alphabet, filepath.Join(folder, "input"))
	return s
}

func folders(t *testing.T, path string) (names []string) {
	t.Helper()
	entries := expect.Value(os.ReadDir(path))(t)
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func renderAll(s *components.Set) (all string) {
	for _, m := range s.Models {
		all += m.Component + "\n" + render(s, m)
	}
	return all
}

// TestBadOperations refuses operations that are not written as they should be, or do not fit the models.
func TestBadOperations(t *testing.T) {
	set := example(t, "extraction").models(t, components.Options{})
	for _, c := range []struct{ text, want string }{
		{"HideActions x", "column 12: expected \"(\" or the end"}, {"", "column 1: expected [<inclusion,pattern>"}, {"HideActions(x", "column 14: expected \")\""},
		{"HideActions(", "column 13: expected \")\""}, {"<inclusion,x", "column 13: expected the >"}, {"<inclusion>PrefixClose", "column 11: expected a comma"},
		{"Hide(x)", "column 1: there is no operation Hide"}, {"<only,x>PrefixClose", "column 2: a filter is inclusion or exclusion, not only"},
		{"<inclusion,x>RenameComponent(a,b)", "column 1: RenameComponent takes no filter"}, {"PrefixClose(x)", "column 12: PrefixClose takes 0 arguments"}, {"RenameComponent(a)", "takes 2 arguments"},
		{"HideActions(()", "column 13: pattern"}, {"<exclusion,(>PrefixClose", "column 12: pattern"}, {"MergeComponents(.*)", "has no group"},
		{"RenameComponent(Nobody,X)", "there is no component \"Nobody\""}, {"RenameComponent(Client,Server)", "there is one of that name"},
		{"FilterClientServerInteractions(Client,Nobody)", "no model of component \"Nobody\""}, {"RenameFunctions(a->b)", "is not <interface>"},
		{"MergeInterfaceClientsServers(,yes,false)", "column 31: true or false"}, {"MergeInterfaceClientsServers(,false,false)", "at least once"},
		{"ModifyRepetitions(plain,x,0,true,0)", "column 25: \"x\" is no number"}, {"ModifyRepetitions(none,0,0,true,0)", "plain or data"},
		{"ModifyRepetitions(plain,0,0,true,2)", "infinite and at most 2"}, {"ModifyRepetitions(plain,3,2,true,0)", "at least 3 and at most 2"},
		{"ModifyRepetitions(plain,-1,0,true,0)", "negative"}, {"InjectDomainKnowledge(nor,UNION)", "operator \"nor\" is none of"},
	} {
		_, err := apply(t, set, c.text)
		expect.Refused(t, err, c.want, "%s", c.text)
	}
}

// TestMergeIntoAnother refuses to merge components into one that is not among them.
func TestMergeIntoAnother(t *testing.T) {
	set := expect.Value(apply(t, example(t, "extraction").models(t, components.Options{}), "RenameComponent(Client,Server1)"))(t)
	_, err := apply(t, set, `MergeComponents((?<name>Server)\d)`)
	expect.Refused(t, err, "there is one of that name", "merged into a component that is not there")
	if merged, err := apply(t, set, `MergeComponents((?<name>Server)\d?)`); err != nil || len(merged.Models) != 2 {
		t.Error(err)
	}
}

// TestFilteredOperations changes the models that a filter takes and no others.
func TestFilteredOperations(t *testing.T) {
	set := example(t, "extraction").models(t, components.Options{})
	for filter, want := range map[string]string{
		"<inclusion,C.*>": "Client Connector", "<exclusion,C.*>": "Server", "<inclusion,C>": "", "": "Client Connector Server",
	} {
		got := expect.Value(apply(t, set, filter+"PrefixClose"))(t)
		var changed []string
		for i, m := range got.Models {
			if !sameLanguage(m.Automaton, set.Models[i].Automaton) {
				changed = append(changed, m.Component)
			}
		}
		expect.Equal(t, strings.Join(changed, " "), want, "changed by %s", filter)
	}
}

// TestFragments splits a model: every word of a fragment is one of the model, and together they have all its events.
func TestFragments(t *testing.T) {
	set := example(t, "extraction").models(t, components.Options{})
	var all []string
	for _, m := range set.Models {
		events := 0
		for _, f := range set.Fragments(m) {
			all = append(all, f.Component)
			events += f.Transitions()
			if !language.Included(f.Automaton, m.Automaton) {
				t.Errorf("%s is no part of %s", f.Component, m.Component)
			}
		}
		expect.Equal(t, events, m.Transitions(), "%s: transitions in fragments and in all", m.Component)
	}
	want := "Client_IServer__f__blk_sync__Server Client_IServer__g__trig_trigh__Server Server_IClient__h__evt_evtcb__Client " +
		"Server_IConnector__i__fcn_sync__Connector Client_IServer__f__blk_sync__Server Client_IServer__g__trig_trigh__Server " +
		"Connector_IConnector__i__sync_ret_fcncb__Server"
	expect.Equal(t, strings.Join(all, " "), want, "fragments")
}

// TestFilterKeepsWholeFragments keeps a fragment for what is in it, and not for what follows in another.
func TestFilterKeepsWholeFragments(t *testing.T) {
	set := example(t, "extraction").models(t, components.Options{})
	got := expect.Value(components.FilterClientServerInteractions(set, "Connector", "Server"))(t)
	var names []string
	for _, f := range got.Fragments(got.Model("Server")) {
		names = append(names, f.Component)
	}
	expect.Equal(t, strings.Join(names, " "), "Client_IServer__g__trig_trigh__Server Connector_IConnector__i__sync_ret_fcncb__Server", "fragments")
}
