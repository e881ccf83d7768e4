// Package schema defines the data: the vocabulary of events, one struct of columns for every big table, one struct of
// fields for every small one, their units and keys, and the losses. It does no input or output and imports nothing of ours.
//
// A big table is a struct of equally long slices, one a column; row i is element i of each. A value
// that may be missing has a sentinel (NoCode, NoValue, or the zero of an enumeration), so no column
// needs a second slice. Names are dictionary codes: Names.Functions.Name(ev.Function[i]).
//
// A small table (runs, states, transitions, changes, ...) is a slice of structs.
//
// Either struct is the only list of the columns of its table. The tags of a field give the name of the column, its unit,
// and the sentence that analyze describe and the comments of the SQL views show; see columnsOf. A new table is a file here
// with its struct and its description, which says which table it follows in reading order.
//
// Terms are those of the papers: component, function, execution, lifeline, message (Jonk et al. 2019,
// Definition 1); service fragment, time sample, normalisation (Hilbig 2023, sections 2.2 and 3.2).
package schema
