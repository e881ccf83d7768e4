// Package symbols says what function of a program lies at an address: for the readers of formats that record
// addresses and leave their names to others.
//
// A table comes from one of two sources. FromTable reads text, a line for each function, after a heading that
// may be missing:
//
//	line = address TAB function [TAB unit [TAB line]]
//
// where the address is hexadecimal, with or without "0x", and the unit is the source file below the source root.
// A unit "", "?" or "??" is not known. FromELF reads an ELF file: functions from its symbol table, units from
// its debug data (DWARF) where it has them, else, for the functions that only their own file sees, from the
// file symbol before them.
//
// A function of an ELF file has a size, and what lies behind its end is not it. One without size, as all of a
// table, reaches to the next function; the last of them reaches 64 KiB. Where several functions start at one
// address, the table's last one is taken; of an ELF file's, one that others may link to before a weak one and
// that before one its file keeps to itself, then the one with fewer underscores in front, then the first in the
// order of letters.
//
// Addresses are the file's own: of a position-independent program that has run, take off where it was loaded.
package symbols
