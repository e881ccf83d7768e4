// Package levels compares sets of models, such as the service fragments of several releases, on six levels: the method of
// Hendriks, van der Meer and Oortwijn, A multi-level methodology for behavioral comparison of software-intensive systems
// (FMICS 2022, pages 226-243), in short in Hilbig 2023, section 2.3.2.
//
//	1 which model sets have the same behaviour: their variants    schema.Variant
//	2 which variants extend which: the lattice of inclusion       schema.LatticeEdge
//	3 how many entities differ between model sets: a matrix       schema.SetDifference, schema.EntityChange
//	4 which variant of an entity a model set has: a table         schema.Variant
//	5 which variants of an entity extend which                    schema.LatticeEdge
//	6 which variants of an entity are to be compared in structure schema.LatticeEdge, Diff
//
// Behaviour is language: two models are one variant of an entity where they accept the same words, whatever their
// states. A model set that does not have an entity has the empty language for it.
//
// Every language is made a minimal automaton once, however many models have it, so that the cost follows the number of
// distinct languages. Models have no largest size.
//
// Beyond the papers: entities that only have another name or component are told from those that appeared and vanished.
// An entity moved from one model set to another where its name is gone, a new name has the same language, and neither is in
// both; of several candidates those within a component come first, in the order of the model sets. It takes labels
// that do not name the component or the entity.
package levels
